/**
 * The Parcela client with promises.
 *
 * @since 0.1.0
 */
export * from "./Parcela.ts"
export * from "./ParcelaError.ts"
export * from "./ParcelaOperations.ts"
export * from "./ParcelaOptions.ts"
export type * from "@parcela/transport/client/ParcelaModels"
