/** What a browser's translation does to a page, and to React below it. */
import type { BrowserContext, Page } from 'playwright-core';

/**
 * Each document of the page reports when React changes or removes a text that stands beside other
 * nodes, or inserts something before it: on a translated page it would not find that text.
 */
export function reportBareTexts(page: Page): void {
  // A script of the whole context would be blocked in the sandboxed preview of a mail.
  page.on('domcontentloaded', () => void page.evaluate(watch).catch(() => undefined));
  function watch(): void {
    const isBare = (node: unknown) =>
      node instanceof Text &&
      node.data.trim() !== '' &&
      // React marks no text that is alone in its element.
      Object.keys(node).some((key) => key.startsWith('__reactFiber')) &&
      !node.parentElement?.closest('[translate=no]');
    const report = (act: string, node: unknown) => {
      if (isBare(node)) console.error(`React ${act} the bare text "${(node as Text).data}".`);
    };
    const { insertBefore, removeChild } = Node.prototype;
    Node.prototype.insertBefore = function insert<T extends Node>(added: T, next: Node | null): T {
      report('inserts before', next);
      return insertBefore.call(this, added, next) as T;
    };
    Node.prototype.removeChild = function remove<T extends Node>(child: T): T {
      report('removes', child);
      return removeChild.call(this, child) as T;
    };
    const value = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue') ?? {};
    Object.defineProperty(Node.prototype, 'nodeValue', {
      ...value,
      set(text: string) {
        report('changes', this);
        value.set?.call(this, text);
      },
    });
  }
}

/** Translates every text as it comes, as Chrome does: two `font` elements take its place. */
export async function translatePages(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const KEPT = 'script, style, noscript, textarea, svg, font, [translate=no]';
    function translate(text: Text): void {
      if (text.data.trim() === '' || !text.parentElement || text.parentElement.closest(KEPT))
        return;
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      inner.textContent = text.data;
      outer.append(inner);
      text.replaceWith(outer);
    }
    function translateAll(root: Node): void {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = root instanceof Text ? [root] : [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      texts.forEach(translate);
    }
    document.addEventListener('DOMContentLoaded', () => {
      translateAll(document.body);
      new MutationObserver((changes) => {
        for (const { type, target, addedNodes } of changes)
          for (const node of type === 'characterData' ? [target] : addedNodes) translateAll(node);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
  });
}
