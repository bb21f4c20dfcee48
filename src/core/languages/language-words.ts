/**
 * What Parley knows of the words of one language: lists, by what they are for. A list is a text with commas; a phrase has
 * spaces, and `*` is any beginning or ending. Lists of meanings have a line each, or semicolons: the meaning, a colon,
 * and what is said for it. Where readers compare without accents, a list may have them or not.
 */
export type LanguageWords = {
  readonly name: string;
  /** For answers from knowledge bases, without accents. */
  readonly common?: {
    /** Say nothing about what a question is about. */
    readonly stop?: string;
    /** Say little: many questions have them, and an answer can do without. */
    readonly weak?: string;
    /** Show that a question, or a sentence of a text, is in this language. */
    readonly signs?: string;
    readonly signsInText?: string;
  };
  /** Meanings: 1 to 12 for months, 1 for Monday to 7 for Sunday. */
  readonly calendar?: {
    readonly months?: string;
    readonly weekdays?: string;
    /** Abbreviations that are other words in lower case. */
    readonly capitalMonths?: string;
    readonly capitalWeekdays?: string;
    /** How their names begin, for a search by prefix. */
    readonly monthBeginnings?: string;
    readonly weekdayBeginnings?: string;
  };
  readonly numbers?: {
    /** Meanings: the number in digits. */
    readonly values?: string;
    /** Meanings: currencies and "percent". */
    readonly units?: string;
  };
  /** By which a question refers to the one before. */
  readonly followUp?: {
    readonly begins?: string;
    readonly pointsBack?: string;
    /** Asks to continue. */
    readonly more?: string;
  };
  /** What a question asks for, and words that only say so. */
  readonly asked?: {
    /** Groups of words that mean the same in questions about software: the first one, then the others. */
    readonly synonyms?: string;
    /** "which floor": an answer has to have the word. */
    readonly attributes?: string;
    /** Kinds of things that are named by a word before them: "version". */
    readonly headNouns?: string;
    readonly money?: string;
    readonly weight?: string;
    readonly time?: string;
    readonly long?: string;
    /** "How far ahead?", "how long before": ask for the time between two events. */
    readonly far?: string;
    readonly lasts?: string;
    readonly often?: string;
    /** Sizes, after "how", and what their numbers are followed by. */
    readonly hot?: string;
    readonly degrees?: string;
    readonly old?: string;
    readonly ages?: string;
    readonly fast?: string;
    readonly speeds?: string;
    readonly big?: string;
    readonly measures?: string;
    readonly past?: string;
    readonly many?: string;
    readonly much?: string;
    /** "Does anyone know how long …": the question begins behind it. */
    readonly prefaces?: string;
    readonly who?: string;
    /** "Who do I ask about parking?", "who handles bookings?" */
    readonly askPerson?: string;
    readonly onTerms?: string;
    readonly where?: string;
    readonly why?: string;
    /** "Where do I find the key?" */
    readonly askPlace?: string;
    /** "When does practice start?" */
    readonly askTime?: string;
    /** "When does it open?" is answered by a time of day or a weekday, not by "after six weeks". */
    readonly hours?: string;
    /** "How much is overtime paid extra?" is answered by a share too. */
    readonly paying?: string;
    readonly colour?: string;
    readonly code?: string;
    readonly number?: string;
  };
  /** By which a sentence is known to name what a question asks for, without accents. */
  readonly named?: {
    readonly currencies?: string;
    readonly free?: string;
    readonly charging?: string;
    readonly masses?: string;
    readonly spans?: string;
    /** After a span that lies between two events: "two weeks before". */
    readonly distances?: string;
    /** Before a span that something takes: "takes two weeks after". */
    readonly lasting?: string;
    readonly timesOfDay?: string;
    readonly days?: string;
    readonly beforePlace?: string;
    /** After "in", how and not where: "in writing". */
    readonly manners?: string;
    readonly beforeOrigin?: string;
    /** A time can be given by what happens before it: "after lunch". */
    readonly conditions?: string;
    /** Before what something comes from, or happens for. */
    readonly reasons?: string;
    /** How often something happens. */
    readonly frequencies?: string;
    /** How long something may be used isn't how long it takes. */
    readonly validity?: string;
    /** Before the age from which on something is allowed: "over 12". */
    readonly limits?: string;
    /** Beside the year in which something began. */
    readonly madeIn?: string;
    readonly parts?: string;
    readonly one?: string;
    readonly some?: string;
    readonly ordinals?: string;
    readonly colours?: string;
    /** Before a time of day: "from 8 to 5". */
    readonly beforeTime?: string;
    readonly afterTime?: string;
    /** Second words of place names that look like names of people: "Park Lane". */
    readonly streets?: string;
    readonly roles?: string;
    /** "Priya keeps the rota": the verb after a person. */
    readonly doings?: string;
    /** "It closes at six", "Ask for Ann". */
    readonly pointsBack?: string;
    /** Stand for what the sentence before begins with. */
    readonly pronouns?: string;
    /** Show that a part of a sentence says something of its own. */
    readonly verbs?: string;
    readonly rules?: string;
  };
  /** What a question wants of a table, without accents. */
  readonly tables?: {
    readonly trend?: string;
    readonly mean?: string;
    readonly max?: string;
    readonly min?: string;
    readonly sum?: string;
    /** "The whole year": before one of `periods`, all rows are summed up. */
    readonly whole?: string;
    readonly periods?: string;
    readonly compare?: string;
    /** Ask for a column of that kind. */
    readonly priceHints?: string;
    readonly sizeHints?: string;
    readonly weightHints?: string;
    readonly dateHints?: string;
    readonly durationHints?: string;
    /** Are in the names of such columns. */
    readonly priceColumns?: string;
    readonly sizeColumns?: string;
    readonly weightColumns?: string;
    readonly dateColumns?: string;
    readonly durationColumns?: string;
    readonly placeColumns?: string;
    readonly personColumns?: string;
    readonly payColumns?: string;
    readonly quantityColumns?: string;
    /** Their numbers say when something began. */
    readonly yearColumns?: string;
    /** Whole words: the oldest has the highest number. */
    readonly ageColumns?: string;
    /** What one earns isn't what others pay. */
    readonly earning?: string;
    /** Speak of rows or cells, whatever they hold. */
    readonly generic?: string;
    /** What rows often are, where their own column is just called "name". */
    readonly subjects?: string;
    /** Verbs that only say that something is counted. */
    readonly counting?: string;
    /** "new_members" are not all members. */
    readonly qualifiers?: string;
    /** Before a date, or between two. */
    readonly between?: string;
    readonly since?: string;
    readonly until?: string;
    /** Between two things that are both meant. */
    readonly both?: string;
  };
  /** How questions begin. Accents may be missing in what is read. */
  readonly questions?: {
    /** First words of what is asked of Parley, without accents. */
    readonly firstWords?: string;
    /** Words before a question that say nothing of it, without accents: "hi", "please", "so". */
    readonly openers?: string;
    /** Questions of manners. */
    readonly manners?: string;
    /** First words of what is overheard without a question mark. */
    readonly words?: string;
    /** Two words that only a question begins with. */
    readonly openings?: string;
    /** Begin a remark: "what a day", "how nice", "wie gesagt". */
    readonly remarks?: string;
    /** Of languages without spaces: anywhere, or at the end. */
    readonly anywhere?: string;
    readonly endings?: string;
  };
  /** What people ask each other, here and now. */
  readonly people?: {
    /** Up to three words with which a part of a sentence begins. */
    readonly openings?: string;
    /** Two or three words anywhere in it. */
    readonly asides?: string;
    readonly asideWords?: string;
    /** "can you restart it?" asks a person to do it. */
    readonly requests?: string;
    /** "It closes at six, right?" */
    readonly tags?: string;
    /** What follows where it asks for words after all: "can you tell me …", "are you allowed to …", "kannst du mir sagen". */
    readonly askingWords?: string;
    readonly states?: string;
    readonly nowWords?: string;
    readonly dayWords?: string;
    /** What one person did at one time; documents say who founded a place. */
    readonly didOnce?: string;
    readonly notDidOnce?: string;
    /** "Anyone stuck?", but "anyone know the code?". */
    readonly askingAnyone?: string;
    /** "Any news from your week?", but "any discount for students?". */
    readonly ofPeople?: string;
    readonly momentary?: string;
    /** A question without one asks a person which one is meant. */
    readonly verbs?: string;
    readonly rules?: string;
    /** Say nothing about what a line is about. */
    readonly weak?: string;
  };
  readonly names?: {
    /** Names that are also words: "will", "mark", "may". */
    readonly alsoWords?: string;
    /** Accounts that are no people: "who do I ask in IT?" names nobody. */
    readonly roles?: string;
    readonly titles?: string;
    /** A greeting is no part of a sentence: "hi Dave can you …" begins with Dave. */
    readonly greetings?: string;
    /** Meanings: the code of a country, and what Intl doesn't call it. */
    readonly countries?: string;
    /** Months that are also words of everyday language, and words that show that a month is meant. */
    readonly ambiguousMonths?: string;
    readonly beforeMonths?: string;
  };
  /** As people write them without punctuation. */
  readonly remarks?: {
    readonly thanks?: string;
    readonly acknowledgements?: string;
    /** Questions that want no answer: "oh great, who knew?" */
    readonly rhetorical?: string;
    /** What a person does now, beside an acknowledgement: "ok, then I'll book it". Only the beginning counts. */
    readonly plans?: string;
    /** "where do passports go? never mind, found it" */
    readonly takenBack?: string;
    /** Say nothing of their own, and count as words: "ok then", "thanks Parley", "muito obrigado mesmo". */
    readonly fillers?: string;
    /** Ask who Parley is. */
    readonly welcome?: string;
    /** Tell Parley to be quiet. */
    readonly leave?: string;
    /** Begin replies that don't know, ask the same, promise to find out, or ask someone else. */
    readonly noAnswers?: string;
  };
  /** "add this to handbook": a message that wants its files saved. */
  readonly saving?: {
    readonly verbs?: string;
    readonly rules?: string;
    readonly around?: string;
    /** Before the name of a knowledge base, between the two, and behind it. */
    readonly beforeBase?: string;
    readonly articles?: string;
    readonly behindBase?: string;
  };
  /** Parts of regular expressions: how a sentence says that its author doesn't know, in lower case with plain apostrophes. */
  readonly sayings?: readonly string[];
  /** By which questions are found to mean the same. */
  readonly grouping?: GroupingWords;
  readonly stems?: {
    /** Forms whose stem isn't that of their word, each before it. */
    readonly irregular?: string;
  };
  /** Words that ask for a chart; docs/charts.md is written from them. A word counts as a whole; in Japanese and Chinese, anywhere. */
  readonly charts?: {
    readonly trend: string;
    readonly share: string;
    readonly comparison: string;
    /** Any kind. */
    readonly chart: string;
    /** Areas on top of each other. */
    readonly stacked: string;
    /** Phrases with such a word that ask for nothing: to share a list, a work schedule, a graphics card. */
    readonly otherMeanings: string;
  };
  /** Headings of columns that number or name rows, and labels of a last row that adds up the others. */
  readonly columns?: {
    readonly rowNames?: string;
    readonly totals?: string;
  };
  /** Titles of documents. */
  readonly titles?: {
    /** Say nothing about their text. */
    readonly empty?: string;
    /** These are no nouns, so what follows is what is done to. */
    readonly verbs?: string;
    readonly rules?: string;
    /** Can be nouns: a small word after them shows that they are not. */
    readonly perhapsVerbs?: string;
    /** First words that are no names. */
    readonly common?: string;
    /** Small words that use the same letters as English ones, and are no English words. */
    readonly small?: string;
  };
  readonly schedules?: {
    /** A question doesn't end with one of these. */
    readonly unfinished?: string;
  };
  readonly headings?: {
    /** Above a list of sources that a model writes. */
    readonly sources?: string;
  };
};

/** Accents don't matter. Those of Japanese and Chinese are found inside text without spaces. */
export type GroupingWords = {
  /** Say nothing about the subject: "how do I", "please". In text without spaces they are removed. */
  readonly empty?: string;
  /** Most questions have them in some form. They count a little. */
  readonly weak?: string;
  /** Turn the meaning round. */
  readonly negation?: string;
  readonly without?: string;
  /** Phrases without meaning of their own, although their words have one: "I don't know". */
  readonly frames?: string;
  /** Meanings: one concept a line. "^" is the beginning of the question. */
  readonly same?: string;
  /** Like `same`: what is done. Questions about two different ones differ, however alike they are otherwise. */
  readonly actions?: string;
  /** Before what something comes from, and before what it goes to. */
  readonly from?: string;
  readonly to?: string;
  /** Verbs' beginnings that can be the last word of a sentence: "setze … zurück". */
  readonly separable?: string;
};
