/** Opens forms. What draws them isn't part of the page's first load: it follows when the browser has time. */

const load = () => import("./dialog.js");

addEventListener("load", () => setTimeout(() => load().catch(() => undefined), 2_000));

/** As in dialog.js. */
export async function openForm(form, how) {
  const dialog = await load();
  dialog.openForm(form, how);
}
