/** The requests and reads of a public code base, as data: facts from its source, in our own words. */

export type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [key: string]: Json }

/** Any value but `null`: the code continues with it. */
export const some = { expected: "some" } as const
/** The key is there, whatever it has: code of PHP and Java stops at one that is not. */
export const there = { expected: "there" } as const

export type Expected = Json | typeof some | typeof there

/**
 * The expected values of a response, by path: `"Charge.Transactions.0.status": "captured"`.
 *
 * Texts of paths, bodies and expectations name what is known as `{today}`, `{nextWeek}`, `{card}`; a text that is nothing
 * but a name becomes its value, a number too.
 */
export type Reads = { readonly [place: string]: Expected }

/** A request as the code sends it. */
export interface Call {
  /** The action of the code. */
  readonly does: string
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  readonly path: string
  readonly body?: Json
  /** 200 unless it is another one that the code is given. */
  readonly status?: number
  readonly reads?: Reads
  /** Values that the code stores for later steps, by name. */
  readonly keeps?: { readonly [name: string]: string }
  /** The number of requests, with `{count}` from 1 and a CPF for each, `{document}`. */
  readonly times?: number
}

/** A list that the code reads to its end, with `{startAt}` in its path. */
export interface Import {
  readonly does: string
  readonly imports: string
  readonly path: string
  /** It ends at a page that is not full, or at one that is empty. */
  readonly until: "not full" | "empty"
  readonly limit: number
  /** The fields that are read of each item. */
  readonly reads: Reads
  /** The total numbers of items and pages. */
  readonly ends: { readonly items: number; readonly pages: number }
}

/** A delivery, as the code's receiver reads it. */
export interface Delivery {
  readonly does: string
  readonly event: string
  readonly reads: Reads
  readonly keeps?: { readonly [name: string]: string }
}

/** A boleto or a Pix that its payer pays, by the identifier of its payment. */
export interface Payment {
  readonly does: string
  readonly pays: string
}

export type Step = Call | Import | Delivery | Payment

export interface Flow {
  readonly name: string
  /** Entities that exist before and that this code does not create. */
  readonly given?: ReadonlyArray<Call>
  readonly steps: ReadonlyArray<Step>
  /** The final state, read over the interface. */
  readonly ends?: ReadonlyArray<Call>
}

export interface PublicCode {
  readonly repository: string
  readonly language: "JavaScript" | "TypeScript" | "PHP" | "Java"
  /** The headers of every request but the one for a token. */
  readonly headers: { readonly [name: string]: string }
  /** Fields of the token request in addition to the credentials. */
  readonly login: { readonly headers: { readonly [name: string]: string }; readonly scope: string }
  readonly flows: ReadonlyArray<Flow>
}

/** The scopes that nearly all of them ask for. */
export const usualScope =
  "customers.read customers.write plans.read plans.write transactions.read transactions.write webhooks.write cards.read " +
  "cards.write card-brands.read subscriptions.read subscriptions.write charges.read charges.write boletos.read"

export const json = { "content-type": "application/json" }
/** The default content type of libcurl for a body. */
export const form = { "content-type": "application/x-www-form-urlencoded" }
