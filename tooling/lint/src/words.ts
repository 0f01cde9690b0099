/**
 * The words that this project's code and comments do not use, each with the field's own word for it.
 */

/** Phrases of comments, in lower case, and what to write instead. */
export const phrases: ReadonlyArray<readonly [RegExp, string]> = [
  [/\banew\b/, "again, or a new ..."],
  [/\bonce more\b/, "again"],
  [/\bbeside\b/, "in addition to, alongside, or at the same time as"],
  [/\bmeanwhile\b/, "concurrently, or during the call"],
  [/\b(?:nobody|somebody|whoever)\b/, "the client, caller, worker or user"],
  [/\bwho (?:asks|has|waits|knows|wants|sends|reads|calls)\b/, "the client, caller, worker or user"],
  [/\b(?:is|are|was|were|be) (?:told|asked for|asked|looked at|looked for)\b/, "returned, reported, requested or read"],
  [/\bas it stands\b/, "unchanged, or its current state"],
  [/\bso (?:many|long|much)\b/, "a number, a duration, or the name of the limit"],
  [/\b(?:comes|come|came) to\b/, "results in"],
  [/\b(?:brings|brought)\b/, "returns, contains or adds"],
  [/\b(?:is|are) none\b/, "there is no ..., or absent"],
  [/\bset aside\b/, "deactivated, or quarantined"],
  [/\bgiven up\b/, "abandoned, or timed out"],
  [/\bgoes on\b/, "continues"],
  [/\bat rest\b/, "idle"],
  [/\b(?:takes|take|in) turns?\b/, "alternates, or names the queue, lock or tick"],
  [/\bkept\b/, "stored, retained or cached"]
]

/** Words of identifiers, in lower case, and what to write instead. */
export const identifierWords: ReadonlyMap<string, string> = new Map([
  ["lot", "batch"],
  ["lots", "batches"],
  ["turn", "tick, slice, lock, position or batch"],
  ["turns", "ticks, slices, locks or batches"],
  ["lane", "queue"],
  ["lanes", "queues"],
  ["place", "slot, permit, position, placeholder or location"],
  ["places", "slots, permits, positions, placeholders or locations"],
  ["rests", "delays or backoff"],
  ["kept", "stored, retained or cached"],
  ["asked", "requested, or the request itself"],
  ["asking", "requesting, or the request itself"],
  ["told", "reported or returned"],
  ["says", "message"],
  ["said", "message"],
  ["begun", "started"],
  ["beside", "related or secondary"],
  ["anew", "again"],
  ["parked", "quarantined"],
  ["tries", "attempts"],
  ["spoken", "naming"],
  ["looks", "reads or lookups"],
  ["looking", "reading or lookup"]
])

/** A limit is `max..`. */
export const limitPrefix = /^(?:most|longest)(?=[A-Z])/

/** First words that make a doc comment a fragment where a noun or a verb belongs. */
export const fragment = /^(?:what|whether|how|who|whose|where|when|which|why)\b/i
