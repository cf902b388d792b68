const loads = new Map<string, Promise<void>>();

/** Loads a sheet that the first view does without, once. A failed load is tried again. */
export function loadStyles(href: string): Promise<void> {
  const load = loads.get(href) ?? addSheet(href);
  loads.set(href, load);
  return load;
}

function addSheet(href: string): Promise<void> {
  const sheet = document.createElement('link');
  sheet.rel = 'stylesheet';
  sheet.href = href;
  document.head.append(sheet);
  return new Promise((resolve, reject) => {
    sheet.onload = () => resolve();
    sheet.onerror = () => {
      loads.delete(href);
      sheet.remove();
      reject(new Error(`${href} did not arrive.`));
    };
  });
}
