import { assert, describe, it } from "@effect/vitest"
import { nonEmptyString } from "@parcela/core/values/Text"
import { TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import { createHash } from "node:crypto"
import * as DocsFrame from "../../src/docs/DocsFrame.ts"
import { closedNotice } from "../../src/documents/Texts.ts"
import { pixPage, type PixPageInput, policy } from "../../src/documents/PixPage.ts"
import { beneficiary, customer, pix, pixPayment, subscription } from "./fixtures/Payments.ts"
import { readQr } from "./fixtures/QrReader.ts"

const input: PixPageInput = { pix, transaction: pixPayment, terms: subscription.pix!, customer, beneficiary }
const page = (changes: Partial<PixPageInput> = {}) => pixPage({ ...input, ...changes })

/** Returns the tags of HTML in their order, without attributes. */
const tags = (html: string) => [...html.matchAll(/<\/?[a-z][^>\s]*/g)].map(([tag]) => tag)
const between = (html: string, tag: string) => new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(html)![1]!
const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

describe("PixPage", () => {
  it("shows the code as text and as a picture", () => {
    assert.include(page(), `>${pix.qrCode}</p>`)
    assert.strictEqual(readQr(page()), pix.qrCode)
  })

  it.each([
    ["the value", "R$ 123,45"],
    ["the due date", "10/12/2026"],
    ["the payee", "Escola Amanhã Ltda."],
    ["the payee's document", "11.222.333/0001-81"],
    ["the payer", "João da Conceição Araújo"],
    ["the payer's document, masked", "***.982.247-**"],
    ["the instructions", "Mensalidade de dezembro"],
    ["what the bank's app calls it", pix.txid]
  ])("shows %s", (_, text) => {
    assert.include(page(), text)
  })

  it("does not show the payer's document or internal data", () => {
    assert.notInclude(page(), "529")
    assert.notInclude(page(), "internal note")
    assert.notInclude(page(), customer.emails[0]!)
  })

  it("shows no row for absent instructions", () => {
    assert.notInclude(page({ terms: {} }), "Informações")
    assert.notInclude(page({ terms: { instructions: "" } }), "Informações")
  })

  it("loads no other resource", () => {
    assert.notMatch(page().replace("http://www.w3.org/2000/svg", ""), /https?:|src=|@import|url\(|<link/)
  })

  it("has its copy button hidden until the script runs", () => {
    assert.match(page(), /<button [^>]*hidden>/)
  })

  it("has only the style and the script that its policy allows", () => {
    assert.include(policy, `style-src ${hash(between(page(), "style"))};`)
    assert.include(policy, `script-src ${hash(between(page(), "script"))};`)
    assert.notMatch(page(), / (style|on[a-z]+)="/)
    assert.include(policy, "default-src 'none'")
  })

  it.each(TransactionStatus.literals.filter((status) => closedNotice(status, "Pix") !== undefined))(
    "says that it is %s, and has no code",
    (status) => {
      const html = page({ transaction: { ...pixPayment, status } })
      const notice = closedNotice(status, "Pix")!
      assert.include(html, notice.title)
      assert.include(html, notice.text)
      assert.notInclude(html, pix.qrCode)
      assert.notInclude(html, "<svg")
      assert.notInclude(html, "<script")
    }
  )

  it("escapes the special characters of HTML", () => {
    assert.strictEqual(DocsFrame.text(`<a href="x">'&'</a>`), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;")
    const hostile = `</bdi></p></style></script><script>alert("1")</script><img src=x onerror='alert(1)'>`
    const html = page({
      beneficiary: { ...beneficiary, name: hostile },
      customer: { ...customer, name: hostile, document: hostile },
      terms: { instructions: hostile },
      pix: { txid: hostile, qrCode: hostile }
    })
    assert.deepStrictEqual(tags(html), tags(page()))
    assert.notInclude(html, "onerror='")
  })

  it.prop(
    "has the same elements whatever the names are",
    [nonEmptyString(255), nonEmptyString(255)],
    ([name, other]) => {
      const html = page({
        beneficiary: { ...beneficiary, name },
        customer: { ...customer, name: other },
        terms: { instructions: name }
      })
      assert.deepStrictEqual(tags(html), tags(page()))
      assert.include(html, DocsFrame.text(other))
    }
  )
})
