/**
 * Arguments and flags that identify an entity.
 *
 * @since 0.1.0
 */
import type { Ref } from "@parcela/transport/client/RequestEncoder"
import { Argument } from "effect/cli"
import { by, idempotencyKey } from "./Flags.ts"

/** Returns the identifier. The client's validation reports an invalid number. */
export const refOf = (typeId: "myId" | "svcPayId" | "galaxPayId", id: string): Ref =>
  typeId === "myId" ? { typeId, id } : { typeId: "svcPayId", id: /^\d+$/u.test(id) ? Number(id) : Number.NaN }

/** The argument that identifies an entity. */
export const argument = (entity: string) =>
  Argument.String(entity).pipe(Argument.withDescription(`Identifier of the ${entity}`))

/** The flags of a write on an existing entity. */
export const ofEntity = { by, idempotencyKey }
