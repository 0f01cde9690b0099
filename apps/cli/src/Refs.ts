/**
 * What names an entity on the command line.
 *
 * @since 0.1.0
 */
import type { Ref } from "@parcela/transport/client/RequestEncoder"
import { Argument } from "effect/cli"
import { by, idempotencyKey } from "./Flags.ts"

/** A number that is none is found by the client's check. */
export const refOf = (typeId: "myId" | "svcPayId" | "galaxPayId", id: string): Ref =>
  typeId === "myId" ? { typeId, id } : { typeId: "svcPayId", id: /^\d+$/u.test(id) ? Number(id) : Number.NaN }

/** The argument that names an entity. */
export const argument = (entity: string) =>
  Argument.String(entity).pipe(Argument.withDescription(`Identifier of the ${entity}`))

/** The flags of a write on an entity that is there. */
export const ofEntity = { by, idempotencyKey }
