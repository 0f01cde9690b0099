import { assert, describe, it } from "@effect/vitest"
import { TransactionStatus, transactionGroups } from "@parcela/core/transactions/TransactionStatus"
import { closedNotice } from "../../src/documents/Texts.ts"

describe("ClosedNotice", () => {
  it("has no notice for an open boleto and an open Pix", () => {
    const open = TransactionStatus.literals.filter((status) => closedNotice(status, "Pix") === undefined)
    assert.deepStrictEqual(open, ["pendingBoleto", "pendingPix"])
  })

  it.each(TransactionStatus.literals.filter((status) => closedNotice(status, "Pix") !== undefined))(
    "tells of %s what it is about and not to pay, with a short title",
    (status) => {
      const notice = closedNotice(status, "boleto")!
      assert.isAtMost(notice.title.length, 22)
      assert.match(notice.text, /boleto/)
      assert.match(notice.text, /Não pague|não pode mais ser pago/)
    }
  )

  it("reports a payment for paid statuses only", () => {
    for (const status of TransactionStatus.literals) {
      const texts = closedNotice(status, "Pix")?.text ?? ""
      if (transactionGroups[status] === "void") assert.notMatch(texts, /foi pag|já foi/)
    }
    for (const status of ["payedBoleto", "payedPix", "lessValueBoleto", "payExternal"] as const) {
      assert.strictEqual(closedNotice(status, "Pix")?.title, "Pagamento recebido")
    }
  })
})
