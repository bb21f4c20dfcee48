/** What people at Larkmere ask, in several wordings, and what their agents answer. */

export type Topic = {
  readonly agents: readonly string[];
  readonly weight: number;
  readonly asked: readonly string[];
  readonly answer: string;
  /** Absent: the agent found nothing. */
  readonly from?: { readonly base: string; readonly title: string; readonly path: string; readonly passage: string };
  readonly table?: { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] };
};

const help = "help_centre";
const handbook = "handbook";
const releases = "release_notes";

function topic(
  agents: string,
  weight: number,
  asked: readonly string[],
  answer: string,
  ...[base, title, path, passage]: readonly string[]
): Topic {
  const whole = { agents: agents.split(" "), weight, asked, answer };
  if (base === undefined || title === undefined || path === undefined) return whole;
  return { ...whole, from: { base, title, path, passage: passage ?? answer.replaceAll(" [1]", "") } };
}

/** README's picture asks for its trend. */
export const bookingsByMonth = {
  columns: ["Month", "Direct", "Partner sites"],
  rows: [
    ["May", "1,240", "1,610"],
    ["June", "1,385", "1,655"],
    ["July", "1,520", "1,700"],
    ["August", "1,705", "1,690"],
    ["September", "1,815", "1,640"],
    ["October", "2,000", "1,605"],
  ],
} as const;

export const trendQuestion = "What's the trend in direct bookings since May, compared with partner sites?";
export const trendAnswer =
  "**Direct bookings rose by 61%**, from 1,240 in May to 2,000 in October [1]. They passed partner sites in August.";

export function markdownOf({ columns, rows }: NonNullable<Topic["table"]>): string {
  const rule = columns.map((_, at) => (at === 0 ? "---" : "---:"));
  return [columns, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const bookingsPage = [
  ...[handbook, "Bookings by month", "bookings"],
  [
    "Direct bookings compared with those of partner sites, counted on the day of booking. The trend since May: direct bookings rose each month, and passed partner sites in August.",
    markdownOf(bookingsByMonth),
  ].join("\n\n"),
];

const plansPage = [
  ...[handbook, "Plans and prices", "plans"],
  [
    "There are three plans. Starter costs 29 € a month and is for one property with up to 20 rooms. Team costs 79 € a month and is for up to five properties. Business costs 149 € a month and has no limit.",
    "Business includes single sign-on (SSO); it is not part of the Team plan.",
  ].join("\n\n"),
];

export const topics: readonly Topic[] = [
  topic(
    "support",
    9,
    ["How long does a refund take?", "when does the guest get the refund", "How many days until a refund arrives?"],
    "A refund takes **five working days** from the day it is approved [1]. Gift cards are credited at once.",
    help,
    "Refunds and cancellations",
    "refunds",
    "Refunds take five working days from the day they are approved. Gift cards are credited at once.",
  ),
  topic(
    "support",
    8,
    ["How do I change a booking's dates?", "can a guest move their stay to other dates?"],
    "Open the booking, press **Change dates** and confirm the new price [1]. The guest gets an email with both.",
    help,
    "Changing a booking",
    "change-booking",
    "Open the booking, press Change dates and confirm the new price.",
  ),
  topic(
    "support",
    7,
    ["What is our check-in time policy?", "until when can guests check in?", "late check-in, what do we tell guests"],
    "Check-in is from 15:00 to 22:00; later arrivals get a code by text message [1].",
    handbook,
    "Arrivals",
    "arrivals",
    "Check-in is from 15:00 to 22:00. Guests who arrive later get a door code by text message.",
  ),
  topic(
    "support",
    2,
    ["Who pays for the return of a card reader?", "return label for a broken card reader"],
    "Within the EU the return label is free; outside the EU the customer pays for it [1].",
    help,
    "Return labels",
    "return-labels",
    "Card readers that don't work are sent back. Who pays for the return? Within the EU the label is free. Outside the EU the customer pays for it.",
  ),
  topic(
    "support",
    6,
    ["How do I add a second property to an account?", "adding another hotel to the same account"],
    "Go to **Settings → Properties → Add**. Each property has its own rates and its own invoice [1].",
    help,
    "Several properties",
    "properties",
  ),
  topic(
    "support",
    6,
    ["Which cancellation rules apply to group bookings?", "group booking cancelled, what do we charge?"],
    "Groups of ten or more can cancel free of charge up to 30 days before arrival; after that the deposit is kept [1].",
    handbook,
    "Group bookings",
    "groups",
  ),
  topic(
    "support",
    5,
    ["The channel manager shows an old price, what now?", "price on the partner site is not updated"],
    "Prices reach partner sites within ten minutes. If one is older, press **Send again** on the rate plan [1].",
    help,
    "Rates on partner sites",
    "partner-rates",
  ),
  topic(
    "support",
    5,
    ["How do I print the city tax on an invoice?", "city tax is missing on the invoice"],
    "I found nothing about the city tax in my documents.",
  ),
  topic(
    "support",
    4,
    ["Do gift vouchers expire?", "how long is a gift voucher valid"],
    "I found nothing about how long gift vouchers are valid.",
  ),
  topic(
    "support",
    4,
    ["How can a guest pay by bank transfer?", "is bank transfer possible for deposits?"],
    "Bank transfers are possible for deposits over 200 €. The details are on the pro forma invoice [1].",
    help,
    "Payment methods",
    "payments",
  ),
  topic(
    "support",
    4,
    ["Who do I call when a key card does not work?", "key card reader is offline"],
    "Call the on-call line, **extension 7**, day and night. Until then open the room with the master code from the safe [1].",
    handbook,
    "On-call",
    "on-call",
  ),
  topic(
    "support",
    3,
    ["How do I export all guests as CSV?", "export guest list"],
    "**Guests → Export** writes a CSV of all guests with their consent for emails [1].",
    help,
    "Exports",
    "exports",
  ),
  topic(
    "support",
    3,
    ["Is breakfast included in the Business rate?", "business rate breakfast?"],
    "Yes, breakfast is included for one person; a second one costs 14 € [1].",
    handbook,
    "Rates",
    "rates",
  ),
  topic(
    "support",
    3,
    ["What do I do about a double booking?", "two guests have the same room tonight"],
    "Move the later booking to another room of the same class; if there is none, offer the partner hotel and write to #front-desk [1].",
    handbook,
    "Double bookings",
    "double-bookings",
  ),
  topic(
    "support product_guide",
    3,
    ["Is there a limit on API calls per hotel?", "API rate limit for one hotel?"],
    "I found nothing about a limit on API calls.",
  ),
  topic(
    "support",
    2,
    ["Can guests bring dogs?", "pets policy"],
    "Dogs are welcome in ground-floor rooms for 12 € a night [1].",
    handbook,
    "Pets",
    "pets",
  ),
  topic(
    "support",
    2,
    ["How do I give a colleague access to the calendar?", "add a user who only sees the calendar"],
    "Invite them under **Settings → People** with the role *Calendar* [1].",
    help,
    "Roles",
    "roles",
  ),
  {
    ...topic("sales", 8, [trendQuestion, "direct bookings vs partner sites by month"], trendAnswer, ...bookingsPage),
    table: bookingsByMonth,
  },
  {
    ...topic(
      "sales",
      7,
      ["Which hotels had the most bookings last month?", "top hotels by bookings last month"],
      "Harbourview had the most bookings last month.",
    ),
    table: {
      columns: ["hotel", "bookings"],
      rows: [
        ["Harbourview", "412"],
        ["Villa Sole", "377"],
        ["The Old Mill", "301"],
        ["Casa Verde", "266"],
      ],
    },
  },
  {
    ...topic(
      "sales",
      6,
      ["How many trials became customers this quarter?", "trial conversion this quarter"],
      "31 of 84 trials became customers, 37 %.",
    ),
    table: { columns: ["trials", "customers"], rows: [["84", "31"]] },
  },
  topic(
    "sales",
    5,
    ["Which plan includes single sign-on?", "is SSO in the Team plan?"],
    "Single sign-on is part of **Business** [1].",
    ...plansPage,
  ),
  topic(
    "sales",
    4,
    ["Which plans are there and what do they cost?", "what does the Team plan cost?"],
    "**Starter** costs 29 € a month, **Team** 79 € and **Business** 149 € [1].",
    ...plansPage,
  ),
  topic(
    "sales",
    4,
    ["What discount may I give for two years?", "two year contract discount"],
    "Up to 15 % for two years; more needs Theo's approval [1].",
    handbook,
    "Discounts",
    "discounts",
  ),
  topic(
    "sales",
    3,
    ["What did we pay partner sites in Q3?", "partner site commissions third quarter"],
    "I found nothing about commissions in the tables I can read.",
  ),
  topic("sales", 3, ["Which customers renew in December?", "renewals next month"], "Nine customers renew in December."),
  topic(
    "product_guide",
    6,
    ["What's new in version 4.2?", "What changed in 4.2?", "release 4.2 highlights"],
    "Version 4.2 adds exports and a calendar for housekeeping [1].",
    releases,
    "Release notes 4.2",
    "releases/4-2",
    "New in version 4.2: exports, and a calendar for housekeeping.",
  ),
  topic(
    "product_guide",
    5,
    ["Which webhooks are sent when a booking is cancelled?", "webhook for cancellations"],
    "`booking.cancelled` and, if money is returned, `refund.created` [1].",
    help,
    "Webhooks",
    "webhooks",
  ),
  topic(
    "product_guide",
    4,
    ["When does the old API end?", "sunset date of API v1"],
    "Version 1 of the API ends on 31 March 2027 [1].",
    releases,
    "End of API 1",
    "releases/api-1",
  ),
  topic(
    "product_guide",
    3,
    ["Does the sync support Apple calendars?", "ical feed for housekeeping"],
    "Yes: each room has an iCal feed, updated every 15 minutes [1].",
    help,
    "Calendar feeds",
    "calendar-feeds",
  ),
  topic(
    "product_guide onboarding_old",
    2,
    ["How do I set up a sandbox hotel?", "sandbox account for tests"],
    "Create one under **Developers → Sandbox**; it is emptied every Sunday [1].",
    help,
    "Sandbox",
    "sandbox",
  ),
];

/** The codes that questions fail with, most frequent first. */
export const failureCodes = [
  { code: "stream_too_long", weight: 6, isLong: true },
  { code: "model_unavailable", weight: 5 },
  { code: "service_unreachable", weight: 3 },
  { code: "no_answer", weight: 2 },
  { code: "stream_cut", weight: 1 },
] as const;

export const comments = {
  wrong: ["That was the old rule, it changed in September.", "It's seven days for card payments."],
  incomplete: ["What about bookings through partner sites?", "It doesn't say who approves it."],
  outdated: ["The page it quotes is from last year."],
  "not-what-i-asked": ["I asked about groups, not single bookings."],
} as const;
