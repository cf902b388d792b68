/** Eight ways to write one mailbox; `name` tells mailboxes apart and is lower-case ASCII. */
export function spellings(name: string): string[] {
  const plain = `${name}.zoë@bücher.example`;
  return [
    plain,
    plain.toUpperCase(),
    plain.normalize('NFD'),
    `${name}.zoë@xn--bcher-kva.example`,
    `${name}.ZOË@XN--BCHER-KVA.EXAMPLE`,
    widen(plain),
    plain.replace('.example', '。example'),
    `  ${plain.toUpperCase().normalize('NFD')}\t`,
  ];
}

/** ASCII as an East Asian keyboard may type it. */
function widen(text: string): string {
  return text.replace(/[!-~]/g, (character) =>
    String.fromCharCode(character.charCodeAt(0) + 0xfee0),
  );
}
