import { describe, expect, it } from "vitest";
import { usedMs } from "../../../bench/own-work.ts";
import { plainWords, pleasantryOf } from "../../../src/bridge/intake/pleasantries.ts";

describe("plainWords", () => {
  it.each([
    ["Hello!", "hello"],
    ["  What   can you do?? ", "what can you do"],
    ["That's it! 👍🏽", "thats it"],
    ["ＨＥＬＰ", "help"],
    ["¿Qué puedes hacer?", "qué puedes hacer"],
    ["🇩🇪 Hallo 1️⃣", "hallo"],
    [":wave::skin-tone-2: hi <:yay:123>", "hi"],
    ["at 10:30:15", "at 10 30 15"],
    ["Was kannst du?", "was kannst du"],
    ["何ができますか？", "何ができますか"],
    ["_**ok**_", "ok"],
    ["👍", ""],
    ["", ""],
  ])("reads %j as %j", (text, words) => {
    expect(plainWords(text)).toBe(words);
  });

  it("leaves a text that is longer than any phrase as it is, so that a question of 100 kB costs nothing", () => {
    const long = "Why? ".repeat(20_000);
    expect(plainWords(long)).toBe(long);
    expect(plainWords(`Stop!${" ".repeat(100_000)}`)).toBe("stop");
  });
});

const listed = (table: string) => table.split("|").map((text) => text.replaceAll("\n", "").trim());

describe("pleasantryOf", () => {
  it.each(
    listed(`thanks | Thanks! | thanks, that helped! | thank you so much 🙏 | ok thanks | perfect, thanks a lot | thx |
    Thanks Parley | cool, thank you | that helps, thanks | ty!! | great, thanks everyone | danke |
    ok danke, dann mach ich das gleich | thanks in advance! | Vielen Dank! | super danke | danke dir | merci ! | Merci beaucoup | ok merci | gracias | ¡Muchas gracias! |
    obrigado | muito obrigada! | valeu | grazie mille | ok, grazie | bedankt | dank je wel! | спасибо |
    Спасибо большое! | ок, спасибо | ありがとう | ありがとうございます！ | 了解です、ありがとう | 谢谢 | 好的，谢谢 | 好的谢谢你 | 多謝`),
  )("reads %j as thanks", (text) => {
    expect(pleasantryOf(text)).toBe("thanks");
  });

  it.each(
    listed(`ok | ok cool | OK. | got it 👍 | 👍 | 👍👍🎉 | :+1: | :thumbsup::skin-tone-3: :tada: | +1 | <:yay:1234> | ❤️ | [sticker: On fire] |
    🇫🇷 | :) | nice | sounds good! | makes sense | all right then | alles klar | passt | sehr gut | d'accord |
    d’accord | ça marche | ca marche | parfait ! | vale | de acuerdo | entendi | beleza | va bene | perfetto |
    begrepen | ah super, dann bin ich am Mittwoch dabei | great, I'll book it then | ninety minutes, ok |
    prima | понятно | хорошо | 了解です | わかりました | 好的 | 收到 | 明白了 | hmm | haha | ...`),
  )("reads %j as an acknowledgement", (text) => {
    expect(pleasantryOf(text)).toBe("acknowledgement");
  });

  it.each([
    ["thanks, that's what i needed", "thanks"],
    ["Danke, genau das brauchte ich", "thanks"],
    ["running it now", "acknowledgement"],
    ["ok, probiere ich jetzt", "acknowledgement"],
    ["is it running now?", undefined],
    ["that's what i needed to know about vans", undefined],
  ])("reads %j, said below an answer, as %j", (text, says) => {
    expect(pleasantryOf(text)).toBe(says);
  });

  it.each(
    listed(`thanks, but how? | ok? | thanks？ | ok and for dogs | thanks, and Tuesday | great, now in French |
    thanks now delete it | no, I meant the big hall | opening hours, thanks | ok, dogs | good to know. I'll tell the night team | what about Tuesday | and the refund | why |
    ok ok ok ok ok ok |  |     | Tuesday | yes please send it | 谢谢请问怎么退款 | danke aber wie | 2 | A | show me |
    legal department | no refund | then | it | parley | goedkoop | okra`),
  )("reads %j as something else", (text) => {
    expect(pleasantryOf(text)).toBeUndefined();
  });

  it("reads a very long message in no time", () => {
    const beforeMs = usedMs();
    expect(pleasantryOf("ok ".repeat(30_000))).toBeUndefined();
    expect(usedMs() - beforeMs).toBeLessThan(500);
  });
});
