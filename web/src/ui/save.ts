/** Hand a file to whoever looks at the page. */

/** Milliseconds after which a file that was downloaded need not be kept any more. */
const DOWNLOAD_MS = 10_000;

export function save(data: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(data);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), DOWNLOAD_MS);
}
