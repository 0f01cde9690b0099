/**
 * What the simulated operator does with a card.
 *
 * @since 0.1.0
 */
import * as AbecsCode from "@parcela/core/cards/AbecsCode"
import type { CardBrandId } from "@parcela/core/cards/CardBrand"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type { Fault } from "./SimulatorFaults.ts"

/**
 * - `Captured`: captured, or held where that was asked for.
 * - `Denied`: a charge is denied, `tries` times for each transaction, or always. With `isCounted` the message says when the
 *   brand's limit of tries is passed, by the tries of this card at this company.
 * - `AuthorizedOnly`: held, also where a capture was asked for: it waits for a capture of its own.
 * - `CaptureDenied`: a charge goes well, and the capture of what it held is denied.
 * - `Disputed`: captured, and disputed by its holder so many days after it was captured, if anything is left of it by then.
 * - `Faulty`: the first request of each attempt meets a fault.
 *
 * @category models
 * @since 0.1.0
 */
export type CardBehaviour = Data.TaggedEnum<{
  Captured: {}
  Denied: {
    readonly code: string
    readonly merchantAdviceCode?: string | undefined
    readonly tries?: number | undefined
    readonly isCounted?: boolean | undefined
  }
  AuthorizedOnly: {}
  CaptureDenied: { readonly code: string }
  Disputed: { readonly days: number }
  Faulty: { readonly fault: Fault }
}>

/**
 * @category constructors
 * @since 0.1.0
 */
export const CardBehaviour = Data.taggedEnum<CardBehaviour>()

/**
 * What a denial code says, in the words of the brand. One that is unknown there is read as Visa's.
 *
 * @category getters
 * @since 0.1.0
 */
export const meaningOf = (brand: CardBrandId | null, code: string): string =>
  Option.match(
    Option.orElse(AbecsCode.lookup(brand ?? "visa", code), () => AbecsCode.lookup("visa", code)),
    { onNone: () => "Denied", onSome: ({ message }) => message }
  )

const faultWords = (fault: Fault): string => {
  switch (fault._tag) {
    case "Denied":
      return `denied, ${fault.code}`
    case "Unavailable":
      return "a 5xx, and nothing is done"
    case "RequestLost":
      return "the request is lost, and nothing is done"
    case "ResponseLost":
      return "it is done, and the response is lost"
    case "Hang":
      return fault.isDone ? "it is done, and no response comes" : "no response comes, and nothing is done"
    case "Slow":
      return `it is done, and the response comes after ${Duration.toSeconds(fault.delay)} s`
    case "Duplicated":
      return "the request arrives twice, and is done once"
  }
}

/**
 * What becomes of charges of a card of that brand, in words.
 *
 * @category getters
 * @since 0.1.0
 */
export const wordsOf = (behaviour: CardBehaviour, brand: CardBrandId): string => {
  switch (behaviour._tag) {
    case "Captured":
      return "captured"
    case "Denied": {
      const { code, isCounted = false, merchantAdviceCode, tries } = behaviour
      const denied = `denied, ${code}`
      if (tries !== undefined) return `each transaction: ${denied} at first; captured after that`
      const advice = merchantAdviceCode === undefined ? "" : `, with merchant advice code ${merchantAdviceCode}`
      const counted = isCounted ? "; the message says when the brand's limit of tries is passed" : ""
      return `${denied}${advice} (${meaningOf(brand, code)})${counted}`
    }
    case "AuthorizedOnly":
      return "authorized, also where a capture was asked for"
    case "CaptureDenied":
      return `captured or authorized; the capture of what was authorized is denied, ${behaviour.code}`
    case "Disputed": {
      const after = behaviour.days === 1 ? "1 day" : `${behaviour.days} days`
      return `captured; a chargeback ${after} after that, by the company's clock`
    }
    case "Faulty":
      return `the first request of each attempt: ${faultWords(behaviour.fault)}`
  }
}
