/** Makes the URLs of an HTML page relative to where it is opened, because Parley doesn't know where a proxy shows it. */

/** How many folders deep a path is: 0 for "/admin", 1 for "/docs/deploy.md". */
export const foldersOf = (path: string): number => path.split("/").length - 2;

/** URLs such as "./page/mark.svg" on a page that is that many folders deep. */
export function fromDepth(html: string, folders: number): string {
  return folders === 0 ? html : html.replace(/(href|src)="\.\//g, `$1="${"../".repeat(folders)}`);
}
