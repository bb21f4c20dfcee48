/** What Parley knows of Chinese words. */
import type { LanguageWords } from "./language-words.ts";

export const zh: LanguageWords = {
  name: "Chinese",
  questions: {
    anywhere: "什么, 什麼, 怎么, 怎麼, 为什么, 為什麼, 多少, 哪里, 哪裡, 哪个, 哪些, 几点, 幾點, 谁, 誰",
    endings: "吗, 嗎, 呢",
  },
  remarks: {
    thanks: "谢谢, 谢谢你, 谢谢您, 谢谢啦, 谢谢了, 多谢, 感谢, 非常感谢, 太感谢了, 谢了, 謝謝, 多謝, 感謝",
    acknowledgements:
      "好的, 好, 好吧, 好啊, 知道了, 明白, 明白了, 了解了, 收到, 没问题, 可以, 行, 嗯, 嗯嗯, 是的, 不错, 太好了, 完美, 懂了, 沒問題, 對, 对",
    rhetorical: "真的, 真的吗, 是吗",
    fillers: "啦, 了, 啊, 哈, 大家",
    welcome:
      "帮助, 幫助, 你好, 您好, 嗨, 你能做什么, 你能做什麼, 你会做什么, 你會做什麼, 你可以做什么, 你可以做什麼, 您能做什么",
    leave: "离开, 退出, 離開",
  },
  saving: {
    verbs: "添加, 加, 加入, 加上, 保存, 存, 存入, 储存, 儲存, 记住, 記住, 收录, 收錄, 导入, 導入, 放, 放入",
    around: `
      请, 請, 把, 将, 將, 这个, 這個, 这, 這, 这份, 這份, 文件, 文档, 文檔, 檔案, 附件, 一下, 下来, 下來, 吧, 里, 裡, 中, 可以, 吗, 嗎, 你, 帮我, 幫我, 到知识库, 到知識庫,
      谢谢, 謝謝
    `,
    beforeBase: "到, 进, 進, 入",
  },
};
