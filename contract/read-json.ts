/** Returns undefined for a body that is not JSON. Throws when it breaks off: that is no answer. */
export async function readJson(response: { text(): Promise<string> }): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
