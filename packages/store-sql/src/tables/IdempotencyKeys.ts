/**
 * The table of idempotency keys.
 *
 * @since 0.1.0
 */
import type { KeyWrite } from "@parcela/engine/command/WriteSet"
import type { StoredResponse } from "@parcela/engine/command/LoadedCompany"
import type { RowWrite } from "../commands/RowWrite.ts"
import * as Shapes from "../internal/Shapes.ts"

const response: Shapes.Cells<StoredResponse | undefined> = {
  response_status: (stored) => stored?.status ?? null,
  response_body: (stored) => stored?.body ?? null
}

const responseValues = Shapes.valuesOf(response)

const newKeys = Shapes.rows<Extract<KeyWrite, { readonly _tag: "Insert" }>>("idempotency_keys", {
  company_id: ({ name }) => name.companyId,
  idempotency_key: ({ name }) => name.key,
  fingerprint: ({ name }) => name.fingerprint,
  subject: ({ subject }) => subject,
  created_at: ({ at }) => at,
  response_status: ({ response }) => response?.status ?? null,
  response_body: ({ response }) => response?.body ?? null
})

const byName = { table: "idempotency_keys", where: ["company_id", "idempotency_key"], versioned: false }

/** The first response went out; a repeat must get the same one. */
const responded: Shapes.UpdateShape = { ...byName, set: Object.keys(response), empty: ["response_status"] }

/**
 * What becomes of a key.
 *
 * @category conversions
 * @since 0.1.0
 */
export const keyWrites = (key: KeyWrite | undefined): ReadonlyArray<RowWrite> => {
  if (key === undefined) return []
  const where = [key.name.companyId, key.name.key]
  switch (key._tag) {
    case "Insert":
      return [{ _tag: "Insert", shape: newKeys.shape, rows: [newKeys.values(key)] }]
    case "Respond":
      return [{ _tag: "Update", shape: responded, set: responseValues(key.response), where }]
  }
}
