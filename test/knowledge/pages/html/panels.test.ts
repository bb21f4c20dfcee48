/** What a reader opens with a click is read, under its label; what nobody sees isn't. */
import { describe, expect, it } from "vitest";
import { partOf } from "./page.ts";

const linux = "<p>On Linux take the package of the distribution, and start the unit.</p>";
const windows = "<p>On Windows run the installer, and choose the zebra profile.</p>";
const both =
  "**Linux**\n\nOn Linux take the package of the distribution, and start the unit.\n\n**Windows**\n\nOn Windows run the installer, and choose the zebra profile.";

describe("tabs are all read, each under its label", () => {
  it.each([
    [
      "Docusaurus",
      `<div class="tabs-container"><ul role="tablist" aria-orientation="horizontal" class="tabs"><li role="tab" tabindex="0" aria-selected="true" class="tabs__item">Linux</li><li role="tab" tabindex="-1" aria-selected="false" class="tabs__item">Windows</li></ul><div class="margin-top--md"><div role="tabpanel" class="tabItem_Ymn6">${linux}</div><div role="tabpanel" class="tabItem_Ymn6" hidden="">${windows}</div></div></div>`,
    ],
    [
      "sphinx-tabs",
      `<div class="sphinx-tabs docutils container"><div aria-label="Tabbed content" role="tablist"><button aria-controls="panel-0" aria-selected="true" class="sphinx-tabs-tab" id="tab-0" role="tab">Linux</button><button aria-controls="panel-1" aria-selected="false" class="sphinx-tabs-tab" id="tab-1" role="tab">Windows</button></div><div aria-labelledby="tab-0" class="sphinx-tabs-panel" id="panel-0" role="tabpanel">${linux}</div><div aria-labelledby="tab-1" class="sphinx-tabs-panel" hidden="true" id="panel-1" role="tabpanel">${windows}</div></div>`,
    ],
    [
      "sphinx-design",
      `<div class="sd-tab-set docutils"><input checked="checked" id="i0" name="s0" type="radio"><label class="sd-tab-label" for="i0">Linux</label><div class="sd-tab-content docutils">${linux}</div><input id="i1" name="s0" type="radio"><label class="sd-tab-label" for="i1">Windows</label><div class="sd-tab-content docutils">${windows}</div></div>`,
    ],
    [
      "Material for MkDocs",
      `<div class="tabbed-set tabbed-alternate" data-tabs="1:2"><input checked="checked" id="t1" name="t" type="radio"><input id="t2" name="t" type="radio"><div class="tabbed-labels"><label for="t1">Linux</label><label for="t2">Windows</label></div><div class="tabbed-content"><div class="tabbed-block">${linux}</div><div class="tabbed-block">${windows}</div></div></div>`,
    ],
    [
      "Bootstrap",
      `<ul class="nav nav-tabs" role="tablist"><li class="nav-item"><button class="nav-link active" data-bs-toggle="tab" data-bs-target="#lin" type="button" role="tab" aria-controls="lin">Linux</button></li><li class="nav-item"><button class="nav-link" data-bs-toggle="tab" data-bs-target="#win" type="button" role="tab" aria-controls="win">Windows</button></li></ul><div class="tab-content"><div class="tab-pane fade show active" id="lin" role="tabpanel">${linux}</div><div class="tab-pane fade" id="win" role="tabpanel" style="display: none">${windows}</div></div>`,
    ],
    [
      "old Bootstrap",
      `<ul class="nav nav-tabs"><li class="active"><a href="#lin" data-toggle="tab">Linux</a></li><li><a href="#win" data-toggle="tab">Windows</a></li></ul><div class="tab-content"><div class="tab-pane active" id="lin">${linux}</div><div class="tab-pane" id="win" style="display:none">${windows}</div></div>`,
    ],
    [
      "jQuery UI",
      `<div id="tabs" class="ui-tabs"><ul role="tablist" class="ui-tabs-nav"><li role="tab" aria-controls="t-1"><a href="#t-1">Linux</a></li><li role="tab" aria-controls="t-2"><a href="#t-2">Windows</a></li></ul><div id="t-1" role="tabpanel" class="ui-tabs-panel" aria-hidden="false">${linux}</div><div id="t-2" role="tabpanel" class="ui-tabs-panel" aria-hidden="true" style="display: none;">${windows}</div></div>`,
    ],
    [
      "Starlight",
      `<starlight-tabs><div class="tablist-wrapper"><ul role="tablist"><li role="presentation" class="tab"><a role="tab" href="#tab-panel-1" id="tab-1" aria-selected="true">Linux</a></li><li role="presentation" class="tab"><a role="tab" href="#tab-panel-2" id="tab-2">Windows</a></li></ul></div><div id="tab-panel-1" aria-labelledby="tab-1" role="tabpanel">${linux}</div><div id="tab-panel-2" aria-labelledby="tab-2" role="tabpanel" hidden>${windows}</div></starlight-tabs>`,
    ],
    [
      "VitePress",
      `<div class="vp-code-group"><div class="tabs"><input type="radio" name="g" id="a" checked><label for="a">Linux</label><input type="radio" name="g" id="b"><label for="b">Windows</label></div><div class="blocks"><div class="active">${linux}</div><div style="display:none">${windows}</div></div></div>`,
    ],
  ])("of %s", (_generator, html) => {
    expect(partOf(html)).toBe(both);
  });
});

describe("what opens on a click", () => {
  const label = "**How do I return a rope?**";
  const inside = "Put it on the shelf at the gate, and write your name into the book.";
  it.each([
    ["details", `<details><summary>How do I return a rope?</summary><p>${inside}</p></details>`],
    [
      "an accordion with buttons",
      `<div class="accordion"><div class="accordion-item"><h3><button type="button" aria-expanded="false" aria-controls="q1">How do I return a rope?</button></h3><div id="q1" hidden><p>${inside}</p></div></div></div>`,
    ],
    [
      "an accordion of Bootstrap",
      `<div class="accordion"><div class="accordion-item"><h3 class="accordion-header"><button class="accordion-button collapsed" type="button" data-bs-toggle="collapse" data-bs-target="#c1" aria-expanded="false" aria-controls="c1">How do I return a rope?</button></h3><div id="c1" class="accordion-collapse collapse" style="display: none"><div class="accordion-body"><p>${inside}</p></div></div></div></div>`,
    ],
    [
      "found by the browser's search",
      `<h3>How do I return a rope?</h3><div hidden="until-found"><p>${inside}</p></div>`,
    ],
    [
      "an expand macro",
      `<div class="expand-container"><div class="expand-control"><span class="expand-control-text">How do I return a rope?</span></div><div class="expand-content expand-hidden" style="display: none"><p>${inside}</p></div></div>`,
    ],
  ])("is read: %s", (form, html) => {
    const part = partOf(html);

    expect(part).toContain(inside);
    expect(part).toContain(form === "details" ? label : "How do I return a rope?");
  });

  it("doesn't make a menu or a dialog a part of the page", () => {
    const part = partOf(
      `<button aria-expanded="false" aria-controls="m" aria-haspopup="menu">Language</button><div id="m" hidden>Deutsch</div>
      <div role="dialog" hidden>Accept our biscuits?</div><div style="display:none">Never seen</div><p hidden>Nor this</p>`,
    );

    expect(part).toBe("");
  });
});
