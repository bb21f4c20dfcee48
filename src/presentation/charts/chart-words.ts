/** Finds the words in a question that ask for a chart, in ten languages. docs/charts.md is written from this table. */

export const chartWishes = ["trend", "share", "comparison", "chart", "stacked"] as const;

/** `chart`: any kind. `stacked`: areas on top of each other. */
export type ChartWish = (typeof chartWishes)[number];

/** `*` is any ending. Accents may be missing. A word counts as a whole; in Japanese and Chinese, anywhere. */
export const chartWords: Readonly<Record<string, Readonly<Record<ChartWish, string>>>> = {
  English: {
    trend:
      "trend*, over time, development of, evolution, evolve*, progression, growth, grow, grew, grown, growing, month by month, per month, by month, monthly, year by year, per year, by year, yearly, per week, by week, weekly, per day, by day, daily, per quarter, by quarter, quarterly, year over year, month over month, time series",
    share:
      "share of, share by, share per, what share, which share, s share, market share, shares of, proportion*, percentage*, per cent, percent, breakdown, split by, distribution, composition, made up of",
    comparison:
      "compare*, comparing, comparison*, versus, vs, ranking, rank, side by side, highest, lowest, top 5, top 10",
    chart:
      "chart, charts, charted, graph, graphs, plot, plotted, diagram*, visualise, visualize, visualisation, visualization",
    stacked: "stacked, area chart, area graph",
  },
  German: {
    trend:
      "trend*, entwicklung*, entwickelt*, verlauf*, wachstum, gewachsen, pro monat, je monat, nach monat, monatlich*, monatsweise, pro jahr, je jahr, nach jahr, jährlich*, pro woche, wöchentlich*, pro tag, täglich*, pro quartal, zeitreihe*, im zeitverlauf",
    share: "anteil*, prozentual*, prozentsatz, aufteilung, verteilung, zusammensetzung, aufgeteilt",
    comparison:
      "vergleich*, verglichen, vergleiche, gegenüber, rangliste, im unterschied zu, am höchsten, am niedrigsten",
    chart: "diagramm*, grafik*, graph, schaubild*, kurve, visualisier*",
    stacked: "gestapelt*, flächendiagramm*",
  },
  French: {
    trend:
      "tendance*, évolution*, évolue*, évolué*, progression, croissance, par mois, mensuel*, par an, par année, annuel*, par semaine, hebdomadaire*, par jour, quotidien*, par trimestre, au fil du temps",
    share:
      "part de, part du, part des, part d, parts de, quelle part, proportion*, pourcentage*, répartition*, ventilation par, composition",
    comparison: "compare*, comparer, comparé*, comparaison*, par rapport à, classement",
    chart: "graphique*, diagramme*, courbe*, visualise*",
    stacked: "empilé*, aires empilées",
  },
  Spanish: {
    trend:
      "tendencia*, evolución, evolucion*, crecimiento, por mes, mensual*, por año, anual*, por semana, semanal*, por día, diario, por trimestre, a lo largo del tiempo",
    share: "proporción, proporciones, porcentaje*, distribución, desglose, reparto por, composición, cuota de mercado",
    comparison: "compara*, comparación, comparado*, frente a, clasificación",
    chart: "gráfico*, gráfica*, diagrama*, visualiza*",
    stacked: "apilado*, apilada*",
  },
  Portuguese: {
    trend:
      "tendência*, evolução, evoluiu, crescimento, por mês, mensal, mensais, por ano, anual, anuais, por semana, semanal, por dia, diário*, por trimestre, ao longo do tempo",
    share:
      "proporção, proporções, percentual, percentagem*, porcentagem*, participação, distribuição, composição, fatia*",
    comparison: "compara*, compare*, versus, classificação, ranking",
    chart: "gráfico*, diagrama*, visualiza*",
    stacked: "empilhado*, empilhada*",
  },
  Italian: {
    trend:
      "tendenza, tendenze, andamento, evoluzione, crescita, al mese, per mese, mensile, mensili, all anno, per anno, annuale, annuali, per settimana, settimanale, al giorno, giornalier*, per trimestre, nel tempo",
    share:
      "quota di, quota del, quota dei, quota delle, le quote, proporzione, proporzioni, percentuale, percentuali, ripartizione, suddivisione, distribuzione, composizione",
    comparison: "confront*, paragon*, rispetto a, classifica",
    chart: "grafico, grafici, diagramma, diagrammi, visualizza*",
    stacked: "impilat*, in pila",
  },
  Dutch: {
    trend:
      "trend*, ontwikkeling*, verloop, groei, gegroeid, per maand, maandelijks*, per jaar, jaarlijks*, per week, wekelijks*, per dag, dagelijks*, per kwartaal, door de tijd",
    share: "aandeel, aandelen, percentage*, verdeling*, verhouding*, samenstelling, uitsplitsing",
    comparison: "vergelijk*, vergeleken, ten opzichte van, tegenover, ranglijst",
    chart: "grafiek*, diagram*, visualiseer*",
    stacked: "gestapeld*, vlakdiagram*",
  },
  Russian: {
    trend:
      "тренд*, тенденци*, динамик*, рост, роста, по месяцам, ежемесячн*, в месяц, по годам, ежегодн*, в год, по неделям, еженедельн*, по дням, ежедневн*, по кварталам, со временем",
    share: "доля, доли, долю, долей, процент*, распределени*, соотношени*",
    comparison: "сравни*, сравнен*, по сравнению, рейтинг*",
    chart: "график*, диаграмм*, визуализ*",
    stacked: "с накоплением",
  },
  Japanese: {
    trend:
      "推移, 傾向, トレンド, 変化, 成長, 月別, 月ごと, 毎月, 年別, 年ごと, 毎年, 週別, 週ごと, 日別, 日ごと, 四半期別, 四半期ごと, 時系列",
    share: "割合, シェア, 比率, 内訳, 構成比, パーセント, 分布",
    comparison: "比較, 比べ, 対比, ランキング, 順位",
    chart: "グラフ, チャート, 図表, 可視化",
    stacked: "積み上げ, 積上げ, 面グラフ",
  },
  Chinese: {
    trend:
      "趋势, 趨勢, 走势, 走勢, 变化, 變化, 增长, 增長, 每月, 按月, 月度, 每年, 按年, 每周, 按周, 每天, 按天, 按季度, 每季度, 时间序列, 時間序列",
    share: "占比, 佔比, 份额, 份額, 比例, 百分比, 构成, 構成, 分布, 分佈",
    comparison: "比较, 比較, 对比, 對比, 相比, 排名",
    chart: "图表, 圖表, 曲线图, 柱状图, 饼图, 折线图, 可视化, 可視化",
    stacked: "堆叠, 堆疊, 堆积, 面积图",
  },
};

/** Phrases with a word of the table above that ask for nothing: to share a list, a work schedule, a graphics card. */
export const otherMeanings: Readonly<Record<string, string>> = {
  English:
    "let's share, please share, to share, can you share, could you share, share by email, share by mail, share by link, share by monday, share by tuesday, share by wednesday, share by thursday, share by friday, share by saturday, share by sunday, share by today, share by tomorrow, share by noon, share by the end, share by end of, share by next, share per email, share per mail, distribution list*, distribution group*, chart of accounts, org chart*, organization chart*, organisation chart*, knowledge graph*, microsoft graph, graph api, graph database*, vs code, plot of the film, plot of the movie, plot of the story, plot of the book, trendy",
  German:
    "anteilnahme*, anteilseigner*, grafiker*, grafikkarte*, grafikdesign*, grafikprogramm*, vergleichsportal*, gegenüber vom, gegenüber von",
  French:
    "de la part, à part, quelque part, nulle part, autre part, faire part, fais part, fait part, faites part, prendre part, carte graphique, cartes graphiques, charte graphique, interface graphique, design graphique, designer graphique",
  Spanish:
    "diseño gráfico, diseñador gráfico, diseñadora gráfica, diseñadores gráficos, artes gráficas, tarjeta gráfica, tarjetas gráficas",
  Portuguese: "design gráfico, designer gráfico, designers gráficos",
  Italian: "designer grafico, designer grafici, progetto grafico",
  Dutch: "tegenover het station, trendy",
  Russian:
    "график работы, графика работы, графику работы, графиком работы, графике работы, графики работы, график отпусков, графика отпусков, график дежурств, график смен, график платежей",
  Japanese: "シェアし, シェアする, シェアでき, シェアハウス, カーシェア",
  Chinese:
    "比较好, 比較好, 比较大, 比較大, 比较多, 比較多, 比较便宜, 比較便宜, 比较近, 比較近, 比较适合, 比較適合, 比例尺, 对比度, 對比度",
};

/** A question that asks for a chart says so early. */
const maxReadChars = 2_000;

const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

type Word = { readonly wish: ChartWish; readonly text: string };

/** Phrases of a space before and after each word, so that one search finds whole words. */
const spaced: Word[] = [];
const anywhere: Word[] = [];
for (const words of Object.values(chartWords)) {
  for (const wish of chartWishes) {
    for (const text of searchedIn(words[wish])) (spaceless.test(text) ? anywhere : spaced).push({ wish, text });
  }
}
const others = Object.values(otherMeanings).flatMap(searchedIn);

function searchedIn(words: string): readonly string[] {
  return words.split(",").map((word) => {
    const text = plain(word);
    if (spaceless.test(text)) return text;
    return word.endsWith("*") ? ` ${text}` : ` ${text} `;
  });
}

/** Everything that the question asks for. */
export function wishesIn(question: string): ReadonlySet<ChartWish> {
  const asked = ` ${plain(question.slice(0, maxReadChars))} `;
  const text = others.reduce((left, other) => left.replaceAll(other, " · "), asked);
  const found = new Set<ChartWish>();
  for (const word of spaced) if (text.includes(word.text)) found.add(word.wish);
  if (spaceless.test(text)) for (const word of anywhere) if (text.includes(word.text)) found.add(word.wish);
  return found;
}

/** Lower case without accents of Latin letters, one space between words. */
export function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}
