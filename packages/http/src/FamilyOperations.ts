/**
 * Operations that public clients of this service family call. An operation that this server does not implement is a
 * 501, never a 404.
 *
 * @since 0.1.0
 */

/**
 * Method and path of each operation below `/v2`, including the implemented ones.
 *
 * @category tables
 * @since 0.1.0
 */
export const familyOperations: ReadonlyArray<readonly [methods: string, path: string]> = [
  ["GET POST", "/customers"],
  ["PUT DELETE", "/customers/:customerId/:typeId"],
  ["GET POST", "/plans"],
  ["PUT DELETE", "/plans/:planId/:typeId"],
  ["GET", "/cards"],
  ["POST", "/cards/:customerId/:typeId"],
  ["DELETE", "/cards/:cardId/:typeId"],
  ["GET POST", "/subscriptions"],
  ["PUT DELETE", "/subscriptions/:subscriptionId/:typeId"],
  ["PUT DELETE", "/transactions/:transactionId/:typeId"],
  ["PUT", "/transactions/:transactionId/:typeId/reverse"],
  ["PUT", "/transactions/:transactionId/:typeId/capture"],
  ["GET POST", "/charges"],
  ["PUT DELETE", "/charges/:chargeId/:typeId"],
  ["PUT", "/charges/:chargeId/:typeId/retry"],
  ["PUT", "/charges/:chargeId/:typeId/reverse"],
  ["PUT", "/charges/:chargeId/:typeId/capture"],
  ["GET", "/card-brands"],
  ["GET", "/payment-methods"],
  ["POST", "/boletos"],
  ["POST", "/boletos/:entityType"],
  ["POST", "/carnes/:typePDF"],
  ["POST", "/carnes/:typePDF/:typeCover"],
  ["GET", "/company/balance"],
  ["GET", "/company/balance/movements"],
  ["POST", "/pix/payment"],
  ["POST", "/transfer/internal"],
  ["GET", "/antecipation/simulate/get-by-filters"],
  ["POST", "/antecipation/simulate"],
  ["POST", "/antecipation"],
  ["GET POST", "/company/mandatory-documents"],
  ["GET", "/company/subaccounts"],
  ["POST", "/company/subaccount"],
  ["PUT DELETE", "/company/subaccount/:companyId"],
  ["PUT", "/company/subaccount/active/:companyId"],
  ["GET", "/chargebacks"],
  ["PUT", "/chargebacks/:chargebackId"],
  ["PUT", "/chargebacks/lose/:chargebackId"]
]
