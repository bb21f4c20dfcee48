/** Formulas stand once, and raised text isn't another number. */
import { describe, expect, it } from "vitest";
import { partOf } from "./page.ts";

const mathml = (source: string) =>
  `<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></mrow>${source}</semantics></math>`;
const tex = `<annotation encoding="application/x-tex">E=mc^2</annotation>`;

describe("a formula in a sentence stands once", () => {
  it.each([
    [
      "KaTeX",
      `<span class="katex"><span class="katex-mathml">${mathml(tex)}</span><span class="katex-html" aria-hidden="true"><span class="base"><span class="mord mathnormal">E</span>=<span>mc2</span></span></span></span>`,
    ],
    [
      "MathJax 2",
      `<span class="MathJax_Preview">E=mc²</span><span class="MathJax" id="M-1" data-mathml="x"><span class="math">E=mc2</span><span class="MJX_Assistive_MathML">${mathml("")}</span></span><script type="math/tex" id="M">E=mc^2</script>`,
    ],
    [
      "MathJax 3",
      `<mjx-container class="MathJax" jax="CHTML"><mjx-math class="MJX-TEX" aria-hidden="true"><mjx-mi></mjx-mi></mjx-math><mjx-assistive-mml unselectable="on" display="inline">${mathml("")}</mjx-assistive-mml></mjx-container>`,
    ],
    [
      "MediaWiki",
      `<span class="mwe-math-element"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;"><math alttext="{\\displaystyle E=mc^2}">${mathml(tex)}</math></span><img src="/f.svg" class="mwe-math-fallback-image-inline" alt="{\\displaystyle E=mc^2}"></span>`,
    ],
    ["MathML with its source", mathml(tex)],
    ["MathML alone", mathml("")],
    ["LaTeXML", `<math alttext="E=mc^2"><mi>E</mi></math>`],
  ])("from %s", (_library, html) => {
    expect(partOf(`<p>It says ${html} to everybody.</p>`)).toBe("It says $E=mc^2$ to everybody.");
  });
});

it("a formula on a line of its own has it here too", () => {
  const katex = `<span class="katex-display"><span class="katex"><span class="katex-mathml">${mathml(tex)}</span><span class="katex-html" aria-hidden="true">E=mc2</span></span></span>`;
  const script = `<div class="MathJax_Display"><span>E=mc2</span></div><script type="math/tex; mode=display">E=mc^2</script>`;

  for (const html of [katex, script]) expect(partOf(`<p>So:</p>${html}`)).toBe("So:\n\n$$E=mc^2$$");
});

it("TeX that a script would draw is kept as it is", () => {
  expect(partOf(String.raw`<p>So \(a_i * b_i\) and \[\sum_{i} x^2\] hold.</p>`)).toBe(
    String.raw`So \(a_i * b_i\) and \[\sum_{i} x^2\] hold.`,
  );
});

it.each([
  ["10<sup>6</sup> m", "10^6 m"],
  ["10<sup>-6</sup> m", "10^-6 m"],
  ["4 m<sup>2</sup>", "4 m^2"],
  ["e<sup>x + 1</sup>", "e^(x + 1)"],
  ["H<sub>2</sub>O", "H2O"],
  ["x<sub>max</sub>", "x_max"],
  ["the 1<sup>st</sup>", "the 1st"],
  ["Parley<sup>®</sup>", "Parley®"],
  ['see<sup id="r"><a href="#n">1</a></sup>', "see[1]"],
  ['see<sup class="reference"><a href="#n">[2]</a></sup>', "see[2]"],
  ["<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>", "漢字(かんじ)"],
])("%s reads %s", (html, words) => {
  expect(partOf(`<p>Here is ${html} for you.</p>`)).toBe(`Here is ${words} for you.`);
});
