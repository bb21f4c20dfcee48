/** Code in every form in which generators of documentation write it (their output of 2026). */
import { describe, expect, it } from "vitest";
import { partOf } from "./page.ts";

const fenced = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;
const two = "cd my_project\nnpm install --save *";
const python = 'def f(*a):\n    return a["x_y"]';

describe("code is a fenced block, line by line as it was written", () => {
  it.each<[string, string, string]>([
    ["a plain pre with code", `<pre><code>${two}</code></pre>`, fenced("", two)],
    ["a pre alone", `<pre>${two}</pre>`, fenced("", two)],
    ["CommonMark", `<pre><code class="language-sh">${two}\n</code></pre>`, fenced("sh", two)],
    ["code with breaks", `<pre><code>cd my_project<br>npm install --save *<br/></code></pre>`, fenced("", two)],
    [
      "code with breaks and without a pre",
      `<p><code>cd my_project<br>npm install --save *</code></p>`,
      fenced("", two),
    ],
    ["code whose style keeps lines", `<code style="white-space: pre-wrap">${two}</code>`, fenced("", two)],
    [
      "Sphinx",
      `<div class="highlight-python notranslate"><div class="highlight"><pre><span></span><span class="k">def</span> <span class="nf">f</span><span class="p">(</span><span class="o">*</span><span class="n">a</span><span class="p">):</span>\n    <span class="k">return</span> <span class="n">a</span><span class="p">[</span><span class="s2">"x_y"</span><span class="p">]</span>\n</pre></div></div>`,
      fenced("python", python),
    ],
    [
      "Sphinx with numbers in a table",
      `<div class="highlight-python"><table class="highlighttable"><tbody><tr><td class="linenos"><div class="linenodiv"><pre><span class="normal">1</span>\n<span class="normal">2</span></pre></div></td><td class="code"><div><div class="highlight"><pre><span></span><span class="k">def</span> f(*a):\n    return a["x_y"]\n</pre></div></div></td></tr></tbody></table></div>`,
      fenced("python", python),
    ],
    [
      "Sphinx with numbers in the lines, and its button",
      `<div class="highlight-python"><div class="highlight"><pre id="c0"><span></span><span class="linenos">1</span>def f(*a):\n<span class="linenos">2</span>    return a["x_y"]\n</pre><button class="copybtn o-tooltip--left" data-clipboard-target="#c0">Copy</button></div></div>`,
      fenced("python", python),
    ],
    [
      "Docusaurus",
      `<div class="language-sh codeBlockContainer_Ckt0"><div class="codeBlockContent_biex"><pre tabindex="0" class="prism-code language-sh"><code class="codeBlockLines_e6Vv"><span class="token-line" style="color:#393A34"><span class="token plain">cd my_project</span><br></span><span class="token-line" style="color:#393A34"><span class="token plain">npm install --save *</span><br></span></code></pre><div class="buttonGroup__atx"><button type="button" aria-label="Copy code to clipboard" class="clean-btn"><span>Copy</span></button></div></div></div>`,
      fenced("sh", two),
    ],
    [
      "Docusaurus with line numbers",
      `<div class="language-sh codeBlockContainer_Ckt0"><div class="codeBlockTitle_Ktv7">run.sh</div><div class="codeBlockContent_biex"><pre class="prism-code language-sh"><code class="codeBlockLines_e6Vv codeBlockLinesWithNumbering_o6Pm"><span class="token-line codeLine_lJS_"><span class="codeLineNumber_Tfdd"></span><span class="codeLineContent_feaV"><span class="token plain">cd my_project</span></span><br></span><span class="token-line codeLine_lJS_"><span class="codeLineNumber_Tfdd"></span><span class="codeLineContent_feaV"><span class="token plain">npm install --save *</span></span><br></span></code></pre></div></div>`,
      `run.sh\n\n${fenced("sh", two)}`,
    ],
    [
      "MkDocs with Material",
      `<div class="language-python highlight"><pre><span></span><code><a id="__codelineno-0-1" name="__codelineno-0-1" href="#__codelineno-0-1"></a><span class="k">def</span> f(*a):\n<a id="__codelineno-0-2" name="__codelineno-0-2" href="#__codelineno-0-2"></a>    return a["x_y"]\n</code></pre></div>`,
      fenced("python", python),
    ],
    [
      "MkDocs with numbers in a table",
      `<div class="language-python highlight"><table class="highlighttable"><tr><th colspan="2" class="filename"><span class="filename">f.py</span></th></tr><tr><td class="linenos"><div class="linenodiv"><pre><span></span><span class="normal"><a href="#__codelineno-1-1">1</a></span>\n<span class="normal"><a href="#__codelineno-1-2">2</a></span></pre></div></td><td class="code"><div><pre><span></span><code>def f(*a):\n    return a["x_y"]\n</code></pre></div></td></tr></table></div>`,
      `f.py\n\n${fenced("python", python)}`,
    ],
    [
      "Hugo",
      `<div class="highlight"><pre tabindex="0" class="chroma"><code class="language-sh" data-lang="sh"><span class="line"><span class="cl">cd my_project\n</span></span><span class="line"><span class="cl">npm install --save *\n</span></span></code></pre></div>`,
      fenced("sh", two),
    ],
    [
      "Hugo with numbers in a table",
      `<div class="highlight"><div class="chroma"><table class="lntable"><tr><td class="lntd"><pre tabindex="0" class="chroma"><code><span class="lnt">1\n</span><span class="lnt">2\n</span></code></pre></td><td class="lntd"><pre tabindex="0" class="chroma"><code class="language-sh" data-lang="sh"><span class="line"><span class="cl">cd my_project\n</span></span><span class="line"><span class="cl">npm install --save *\n</span></span></code></pre></td></tr></table></div></div>`,
      fenced("sh", two),
    ],
    [
      "Hugo with numbers in the lines",
      `<div class="highlight"><pre class="chroma"><code class="language-sh" data-lang="sh"><span class="line"><span class="ln">1</span><span class="cl">cd my_project\n</span></span><span class="line"><span class="ln">2</span><span class="cl">npm install --save *\n</span></span></code></pre></div>`,
      fenced("sh", two),
    ],
    [
      "Jekyll",
      `<div class="language-sh highlighter-rouge"><div class="highlight"><pre class="highlight"><code><span class="nb">cd </span>my_project\nnpm install --save *\n</code></pre></div></div>`,
      fenced("sh", two),
    ],
    [
      "Jekyll with numbers in a table inside the code",
      `<figure class="highlight"><pre><code class="language-sh" data-lang="sh"><table class="rouge-table"><tbody><tr><td class="gutter gl"><pre class="lineno">1\n2\n</pre></td><td class="code"><pre><span class="nb">cd </span>my_project\nnpm install --save *\n</pre></td></tr></tbody></table></code></pre></figure>`,
      fenced("sh", two),
    ],
    [
      "GitHub",
      `<div class="highlight highlight-source-shell notranslate position-relative overflow-auto" dir="auto"><pre><span class="pl-c1">cd</span> my_project\nnpm install --save <span class="pl-k">*</span></pre><div class="zeroclipboard-container"><clipboard-copy aria-label="Copy" value="x"><svg></svg></clipboard-copy></div></div>`,
      fenced("shell", two),
    ],
    [
      "a file on GitHub",
      `<table class="highlight tab-size js-file-line-container"><tbody><tr><td id="L1" class="blob-num js-line-number" data-line-number="1"></td><td id="LC1" class="blob-code blob-code-inner js-file-line">cd my_project</td></tr><tr><td id="L2" class="blob-num js-line-number" data-line-number="2"></td><td id="LC2" class="blob-code blob-code-inner js-file-line">npm install --save *</td></tr></tbody></table>`,
      fenced("", two),
    ],
    [
      "Prism with its toolbar and line numbers",
      `<div class="code-toolbar"><pre class="line-numbers language-sh" tabindex="0"><code class="language-sh"><span class="token builtin class-name">cd</span> my_project\n<span class="token function">npm</span> install --save *<span aria-hidden="true" class="line-numbers-rows"><span></span><span></span></span></code></pre><div class="toolbar"><div class="toolbar-item"><button class="copy-to-clipboard-button">Copy</button></div></div></div>`,
      fenced("sh", two),
    ],
    [
      "highlight.js",
      `<pre><code class="hljs language-sh" data-highlighted="yes"><span class="hljs-built_in">cd</span> my_project\nnpm install --save *</code></pre>`,
      fenced("sh", two),
    ],
    [
      "highlight.js with line numbers",
      `<pre><code class="hljs sh"><table class="hljs-ln"><tbody><tr><td class="hljs-ln-line hljs-ln-numbers" data-line-number="1"><div class="hljs-ln-n" data-line-number="1"></div></td><td class="hljs-ln-line hljs-ln-code" data-line-number="1">cd my_project</td></tr><tr><td class="hljs-ln-line hljs-ln-numbers" data-line-number="2"><div class="hljs-ln-n" data-line-number="2"></div></td><td class="hljs-ln-line hljs-ln-code" data-line-number="2">npm install --save *</td></tr></tbody></table></code></pre>`,
      fenced("sh", two),
    ],
    [
      "Shiki",
      `<pre class="shiki github-dark" style="background-color:#24292e" tabindex="0"><code><span class="line"><span style="color:#79B8FF">cd</span><span> my_project</span></span>\n<span class="line"><span>npm install --save *</span></span></code></pre>`,
      fenced("", two),
    ],
    [
      "Shiki with lines that have no break",
      `<figure data-rehype-pretty-code-figure=""><pre data-language="sh" data-theme="x"><code data-language="sh" style="display: grid;"><span data-line=""><span>cd</span> my_project</span><span data-line="">npm install --save *</span></code></pre></figure>`,
      fenced("sh", two),
    ],
    [
      "VitePress with its language and line numbers",
      `<div class="language-sh vp-adaptive-theme line-numbers-mode"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki vp-code" tabindex="0"><code><span class="line"><span>cd</span><span> my_project</span></span>\n<span class="line"><span>npm install --save *</span></span></code></pre><div class="line-numbers-wrapper" aria-hidden="true"><span class="line-number">1</span><br><span class="line-number">2</span><br></div></div>`,
      fenced("sh", two),
    ],
    [
      "Starlight",
      `<div class="expressive-code"><figure class="frame is-terminal"><figcaption class="header"><span class="title">run.sh</span><span class="sr-only">Terminal window</span></figcaption><pre data-language="sh"><code><div class="ec-line"><div class="gutter"><div class="ln" aria-hidden="true">1</div></div><div class="code"><span style="--0:#82AAFF">cd</span><span> my_project</span></div></div><div class="ec-line"><div class="gutter"><div class="ln" aria-hidden="true">2</div></div><div class="code"><span>npm install --save *</span></div></div></code></pre><div class="copy"><button title="Copy to clipboard" data-code="x"><div></div></button></div></figure></div>`,
      `run.sh\n\n${fenced("sh", two)}`,
    ],
    [
      "Asciidoctor",
      `<div class="listingblock"><div class="content"><pre class="rouge highlight"><code data-lang="sh"><span class="nb">cd </span>my_project\nnpm install --save *</code></pre></div></div>`,
      fenced("sh", two),
    ],
    [
      "Asciidoctor with numbers in a table",
      `<div class="listingblock"><div class="content"><pre class="rouge highlight"><code data-lang="sh"><table class="linenotable"><tbody><tr><td class="linenos gl"><pre class="lineno">1\n2\n</pre></td><td class="code"><pre>cd my_project\nnpm install --save *\n</pre></td></tr></tbody></table></code></pre></div></div>`,
      fenced("sh", two),
    ],
    [
      "Pandoc",
      `<div class="sourceCode" id="cb1"><pre class="sourceCode python"><code class="sourceCode python"><span id="cb1-1"><a href="#cb1-1" aria-hidden="true" tabindex="-1"></a><span class="kw">def</span> f(<span class="op">*</span>a):</span>\n<span id="cb1-2"><a href="#cb1-2" aria-hidden="true" tabindex="-1"></a>    <span class="cf">return</span> a["x_y"]</span></code></pre></div>`,
      fenced("python", python),
    ],
    [
      "Doxygen",
      `<div class="fragment"><div class="line"><a id="l00001" name="l00001"></a><span class="lineno">    1</span>cd my_project</div>\n<div class="line"><a id="l00002" name="l00002"></a><span class="lineno">    2</span>npm install --save *</div>\n</div>`,
      fenced("", two),
    ],
    [
      "SyntaxHighlighter",
      `<div><div id="h" class="syntaxhighlighter bash"><table border="0"><tbody><tr><td class="gutter"><div class="line number1 index0">1</div><div class="line number2 index1">2</div></td><td class="code"><div class="container"><div class="line number1 index0"><code class="bash functions">cd</code> <code class="bash plain">my_project</code></div><div class="line number2 index1"><code class="bash plain">npm install --save *</code></div></div></td></tr></tbody></table></div></div>`,
      fenced("", two),
    ],
    [
      "Google's prettify",
      `<pre class="prettyprint linenums lang-sh prettyprinted"><ol class="linenums"><li class="L0"><span class="kwd">cd</span><span class="pln"> my_project</span></li><li class="L1"><span class="pln">npm install --save *</span></li></ol></pre>`,
      fenced("sh", two),
    ],
    [
      "Confluence",
      `<div class="code panel pdl"><div class="codeContent panelContent pdl"><pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: bash; gutter: false">cd my_project\nnpm install --save *</pre></div></div>`,
      fenced("", two),
    ],
    [
      "rustdoc",
      `<div class="example-wrap"><pre class="rust rust-example-rendered"><code><span class="kw">let </span>a = b;\n    c(a);</code></pre><div class="button-holder"><button class="copy-button" title="Copy code"></button></div></div>`,
      fenced("", "let a = b;\n    c(a);"),
    ],
    [
      "WordPress",
      `<pre class="wp-block-code"><code lang="bash" class="language-bash">${two}</code></pre>`,
      fenced("bash", two),
    ],
    [
      "each line in its own code",
      "<pre><code>cd my_project</code>\n<code>npm install --save *</code></pre>",
      fenced("", two),
    ],
    ["old elements", `<listing>${two}</listing>`, fenced("", two)],
    ["empty lines", "<pre><code>a\n\n\nb</code></pre>", fenced("", "a\n\n\nb")],
    [
      "empty lines that are elements",
      `<pre class="shiki"><code><span class="line">a</span>\n<span class="line"></span>\n<span class="line">b</span></code></pre>`,
      fenced("", "a\n\nb"),
    ],
    ["a fence of its own", "<pre><code>```\nx\n```</code></pre>", "````\n```\nx\n```\n````"],
    ["spaces that can't be broken", "<pre>if x:\n&nbsp;&nbsp;y()</pre>", fenced("", "if x:\n  y()")],
    ["entities and tags", "<pre><code>a &lt;b&gt; &amp;&amp; c</code></pre>", fenced("", "a <b> && c")],
  ])("of %s", (_form, html, markdown) => {
    expect(partOf(html)).toBe(markdown);
  });

  it("in a list stays in its item", () => {
    expect(partOf(`<ol><li><p>Run it:</p><pre><code>a_b\nc</code></pre></li><li><p>Stop it.</p></li></ol>`)).toBe(
      "1. Run it:\n\n   ```\n   a_b\n   c\n   ```\n\n2. Stop it.",
    );
  });

  it("within a sentence stays there, with its underscores", () => {
    expect(
      partOf(
        `<p>Set <code class="docutils literal"><span class="pre">max_open_files</span></code> to <kbd>1</kbd>.</p>`,
      ),
    ).toBe("Set `max_open_files` to `1`.");
  });
});

describe("a heading", () => {
  it.each([
    ["Sphinx", `<h2>Settings<a class="headerlink" href="#s" title="Link to this heading">¶</a></h2>`],
    [
      "Docusaurus",
      `<h2 class="anchor" id="s">Settings<a href="#s" class="hash-link" aria-label="Direct link">\u200b</a></h2>`,
    ],
    ["VitePress", `<h2 id="s">Settings <a class="header-anchor" href="#s" aria-label="Permalink">\u200b</a></h2>`],
    [
      "GitHub",
      `<div class="markdown-heading"><h2>Settings</h2><a class="anchor" href="#s" aria-label="Permalink"><svg></svg></a></div>`,
    ],
    ["MkDocs", `<h2 id="s">Settings<a class="headerlink" href="#s" title="Permanent link">#</a></h2>`],
    ["Asciidoctor", `<h2 id="s"><a class="anchor" href="#s"></a><a class="link" href="#s">Settings</a></h2>`],
  ])("of %s has no mark of its link", (_generator, html) => {
    expect(partOf(`${html}<p>They are kept in one file of the machine, and are read at the start.</p>`)).toBe(
      "## Settings\n\nThey are kept in one file of the machine, and are read at the start.",
    );
  });
});

it("the signature of a function is code", () => {
  const html = `<dl class="py function"><dt class="sig sig-object py" id="x"><span class="sig-name descname"><span class="pre">read_all</span></span><span class="sig-paren">(</span><em class="sig-param"><span class="n"><span class="pre">max_size</span></span><span class="o"><span class="pre">=</span></span><span class="default_value"><span class="pre">10</span></span></em><span class="sig-paren">)</span><a class="headerlink" href="#x">¶</a></dt><dd><p>Reads everything up to the size.</p></dd></dl>`;

  expect(partOf(html)).toBe("- `read_all(max_size=10)`\n\n  Reads everything up to the size.");
});
