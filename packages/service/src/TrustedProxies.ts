/**
 * Which proxies may say whose request they pass on.
 *
 * @since 0.1.0
 */
import { isNetwork } from "@parcela/core/companies/AddressRange"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

const entriesOf = (text: string): ReadonlyArray<string> => text.split(",").map((entry) => entry.trim())

/** Each entry that cannot be used, by its place; a value may be a secret that was pasted into the wrong line. */
const faultsOf = (text: string): ReadonlyArray<string> =>
  entriesOf(text).flatMap((entry, index) => {
    if (!isNetwork(entry)) return [`entry ${index + 1} is neither`]
    // Who is trusted may choose the address that is counted.
    return /\/0+$/.test(entry) ? [`entry ${index + 1} would trust everybody`] : []
  })

const expected = "addresses or networks of proxies, separated by commas, such as 127.0.0.1,10.0.0.0/8,fd00::/8"

/**
 * Addresses and networks (`address/bits`) as one text, separated by commas. A network of every address is refused.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TrustedProxies = Schema.String.check(
  Schema.makeFilter((text) => {
    const faults = faultsOf(text)
    return faults.length === 0 || `${expected}: ${faults.join(", ")}`
  })
).pipe(
  Schema.decodeTo(
    Schema.Array(Schema.String),
    SchemaTransformation.transform({ decode: entriesOf, encode: (entries) => entries.join(",") })
  )
)
