/** Japanese and Chinese words for grouping questions. They are found inside text without spaces. */

export type SpacelessTable = {
  /** Removed, and what is left beside them is no word together. */
  readonly empty: string;
  readonly negation: string;
  /** One line per concept: its name, a colon, and what is said for it. */
  readonly same: string;
  readonly actions: string;
};

export const japanese: SpacelessTable = {
  // Hiragana is dropped as a whole: particles and endings.
  empty: `
    教えてください, 教えて下さい, 教えて, お願いします, お願い, ください, 下さい, 方法, やり方, 仕方, 手順, 場所, どこ, どう,
    分かりません, 分からない, わかりません, わからない, 知りません, 知らない, 質問, 場合, 可能, 必要, 今日, 現在, 自分, 私, 何,
    見, 思, 行, 使, 出来, でき, 知, 教, 願, 下, 良
  `,
  negation: "ません, ない, なかった, ず, 不可, 禁止",
  same: `
    broken: 動きません, 動かない, 動作しません, 動作しない, 壊れ, 故障, 使えない, 使えません, つながらない, 繋がらない
    when: いつ, 何時, 何日
    deadline: 締め切り, 締切, 期限
    who: 誰, だれ, どなた
    why: なぜ, どうして, 何故
    cost: いくら, 料金, 価格, 値段
    duration: どのくらい, どれくらい, 期間
    amount: いくつ, 何個, 何人, 何回
    login: ログイン, サインイン
    logout: ログアウト, サインアウト
  `,
  actions: `
    reset: リセット, 再設定, 忘れ
    change: 変更, 修正, 編集
    cancel: キャンセル, 取消, 取り消
    delete: 削除
    create: 作成
    setup: 設定, セットアップ
    request: 申請
    book: 予約
    approve: 承認
    order: 注文
    return: 返品
    print: 印刷
    enable: 有効
    disable: 無効
  `,
};

export const chinese: SpacelessTable = {
  empty: `
    请问, 请, 怎么样, 怎么办, 怎么, 怎样, 如何, 哪里, 哪儿, 哪个, 什么, 可以, 能够, 应该, 需要, 想要, 告诉, 一下, 一个, 我们, 我的, 我, 你们, 您, 你,
    找到, 吗, 呢, 吧, 啊, 了, 的, 得, 是, 在, 要, 想, 能, 有, 和, 与, 或, 把, 被, 给, 去, 这个, 这, 那个, 那, 会, 到, 办理, 谢谢, 你好, 现在, 知道
  `,
  negation: "不能, 不会, 不可以, 无法, 没有, 没, 不, 未, 别",
  same: `
    broken: 不能用, 不工作, 坏了, 坏, 故障, 用不了, 打不开, 连不上
    when: 什么时候, 何时, 几点, 什么时间
    deadline: 期限, 截止日期, 截止, 最后期限
    who: 谁
    why: 为什么, 为何
    cost: 多少钱, 价格, 费用, 收费
    duration: 多久, 多长时间
    amount: 多少, 几个
    login: 登录, 登陆
    logout: 登出, 退出
    password: 密码
  `,
  actions: `
    reset: 重置, 忘记, 找回
    change: 修改, 更改, 更新, 变更
    cancel: 取消, 撤销
    delete: 删除, 注销
    create: 创建, 新建
    setup: 设置, 配置
    request: 申请
    book: 预订, 预定, 预约
    approve: 审批, 批准
    place: 下订单, 下单
    return: 退货, 退回
    print: 打印
    enable: 启用, 开启
    disable: 禁用, 关闭
  `,
};
