/**
 * Filters that several lists share.
 *
 * @since 0.1.0
 */
import { TagAndValue } from "../values/ExtraFields.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { times, values } from "./ListFilter.ts"

/**
 * Filters by the identifiers of the listed entity.
 *
 * @category filters
 * @since 0.1.0
 */
export const identifiers = {
  myIds: values(MyId, { description: "Identifiers of the client system", example: "example-1" }),
  svcPayIds: values(SvcPayId, { description: "Identifiers of the service", example: "1", flag: "id" })
} as const

/**
 * Filters by the identifiers of the customer.
 *
 * @category filters
 * @since 0.1.0
 */
export const ofCustomers = {
  customerMyIds: values(MyId, {
    description: "Customers by identifier of the client system",
    example: "example-customer"
  }),
  customerSvcPayIds: values(SvcPayId, {
    description: "Customers by identifier of the service",
    example: "1",
    flag: "customer-id"
  })
} as const

/**
 * Filter by custom fields: `ExtraFields=TAG.value,TAG2.value2` matches entities with at least one of them.
 *
 * @category filters
 * @since 0.1.0
 */
export const taggedWith = {
  ExtraFields: values(TagAndValue, {
    description: "Fields of the company's own, each as its name, a full stop and its value: one of them is enough",
    example: "CPF_PAGADOR.11144477735",
    flag: "extra-field"
  })
} as const

/**
 * Filter by the day of creation.
 *
 * @category filters
 * @since 0.1.0
 */
export const created = {
  createdAt: times({ description: "day of creation", example: "2026-01-01", flag: "created" })
} as const

/**
 * Filter by the day of creation or of the last change; one of the two must match.
 *
 * @category filters
 * @since 0.1.0
 */
export const createdOrUpdated = {
  createdOrUpdatedAt: times({
    description: "day of creation or of the last change",
    example: "2026-01-01",
    flag: "changed"
  })
} as const
