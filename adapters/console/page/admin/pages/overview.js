/** The Overview page. */
import { element } from "../../drawing/element.js";
import { panel } from "../kit/parts.js";
import { read } from "../kit/request.js";

export async function show(view) {
  const { running, waiting } = await read("api/admin/overview/now", {}, view.signal);
  view.body.replaceChildren(panel({ title: "Now" }, element("p", {}, `${running} running · ${waiting} waiting`)));
  view.every(10_000, () => show(view));
}
