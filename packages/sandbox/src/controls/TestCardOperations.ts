/**
 * The test cards, over HTTP.
 *
 * @since 0.1.0
 */
import { type TestCard, testCards } from "@parcela/provider-simulator/TestCards"
import type { Operations } from "@parcela/http/Operation"
import type { TestCardsGroup } from "@parcela/transport/sandbox/CardControls"
import * as Effect from "effect/Effect"
import { present } from "./Company.ts"

const codeOf = ({ behaviour }: TestCard): string | undefined => ("code" in behaviour ? behaviour.code : undefined)

const shown = (card: TestCard) => {
  const { brand, group, name, number, result } = card
  return { number, name, brand, group, result, ...present("code", codeOf(card)) }
}

/**
 * @category operations
 * @since 0.1.0
 */
export const operations: Operations<typeof TestCardsGroup> = {
  "testCards.list": ({ query: { brand, code, group } }) => {
    const matches = (wanted: string | undefined, is: string | undefined) =>
      wanted === undefined || wanted.toLowerCase() === is?.toLowerCase()
    const found = testCards.filter(
      (card) => matches(brand, card.brand) && matches(code, codeOf(card)) && matches(group, card.group)
    )
    return Effect.succeed({ testCards: found.map(shown) })
  }
}
