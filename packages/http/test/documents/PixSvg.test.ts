import { assert, describe, it } from "@effect/vitest"
import { PixBrCode } from "@parcela/core/pix/PixBrCode"
import { TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import { closedNotice } from "../../src/documents/Texts.ts"
import { closedSvg, pixSvg } from "../../src/documents/PixPage.ts"
import { pix } from "./fixtures/Payments.ts"
import { readQr } from "./fixtures/QrReader.ts"

describe("PixSvg", () => {
  it("decodes to the Pix code", () => {
    assert.strictEqual(readQr(pixSvg(pix.qrCode)), pix.qrCode)
  })

  it.prop(
    "is read back as any code",
    [PixBrCode],
    ([code]) => {
      assert.strictEqual(readQr(pixSvg(code)), code)
    },
    { arbitrary: { runs: 25 } }
  )

  it("can contain the longest code", () => {
    const longest = "x".repeat(255)
    assert.strictEqual(readQr(pixSvg(longest)), longest)
  })

  it("has a white margin of four modules around it", () => {
    const svg = pixSvg(pix.qrCode)
    const size = Number(/viewBox="0 0 (\d+) /.exec(svg)![1])
    const runs = [...svg.matchAll(/M(\d+) (\d+)h(\d+)/g)].map(([, x, y, length]) => [
      Number(x),
      Number(y),
      Number(length)
    ])
    assert.strictEqual(Math.min(...runs.map(([x]) => x!)), 4)
    assert.strictEqual(Math.min(...runs.map(([, y]) => y!)), 4)
    assert.strictEqual(Math.max(...runs.map(([x, , length]) => x! + length!)), size - 4)
    assert.include(svg, `<rect width="${size}" height="${size}" fill="#fff"/>`)
  })

  it.each(TransactionStatus.literals.filter((status) => closedNotice(status, "Pix") !== undefined))(
    "has words and no code once it is %s",
    (status) => {
      const notice = closedNotice(status, "Pix")!
      const svg = closedSvg(notice)
      assert.include(svg, `>${notice.title}</text>`)
      assert.notInclude(svg, "<path")
    }
  )
})
