/**
 * The cards of customers. The interface contains them in payments (2.7) and names their scopes; see
 * `docs/interface-decisions.md`.
 *
 * @since 0.1.0
 */
import { Card, AddCard } from "@parcela/core/cards/Card"
import { cardList } from "@parcela/core/lists/EntityLists"
import { described } from "@parcela/core/values/Fields"
import * as Schema from "effect/Schema"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { wire } from "../ApiError.ts"
import { entityPath } from "./EntityPath.ts"
import { BearerToken } from "../Security.ts"
import { done, DoneResponse, FaultEntity, list, page, write } from "./Operation.ts"
import { failureOf, pageFailure } from "./Examples.ts"

const CardResponse = Schema.Struct({
  type: done,
  Card: described(Card, "The card.")
}).annotate({ identifier: "CardResponse", description: "The stored card." })

const CardListResponse = page("Cards", Card, { identifier: "CardListResponse", description: "A page of cards." })

const card = {
  svcPayId: 6,
  myId: "example-new-card",
  number: "5454********5454",
  expiresAt: "2030-12",
  customerSvcPayId: 5,
  customerMyId: "example-person",
  Brand: { id: "mastercard", name: "Mastercard", maxInstallment: 12, operatorIds: "cielo,rede,getnet,stone" },
  isBackup: true,
  status: "active",
  createdAt: "2026-11-20 10:00:00",
  updatedAt: "2026-11-20 10:00:00"
} as const

/**
 * @category groups
 * @since 0.1.0
 */
export class CardsGroup extends HttpApiGroup.make("cards")
  .add(
    list("list", "/cards", {
      operationId: "listCards",
      scope: "cards.read",
      summary: "List cards",
      description: "Returns one page of cards. The last page has fewer than limit.",
      definition: cardList,
      success: CardListResponse,
      examples: {
        response: { totalQtdFoundInPage: 1, Cards: [card] },
        errors: { 400: pageFailure("Card") }
      }
    }),
    write("POST", "add", "/cards/:customerId/:typeId", {
      operationId: "addCard",
      scope: "cards.write",
      summary: "Add card",
      description:
        "Sends a card to the operator's vault and stores its mask for the customer; nothing is charged. If " +
        "the customer has the card already, that card is updated and returned. A 404 means that the customer " +
        "does not exist.",
      params: entityPath("customer"),
      payload: AddCard,
      success: CardResponse,
      errors: [wire.NotFound],
      examples: {
        request: {
          myId: "example-new-card",
          number: "5454545454545454",
          holder: "BRUNO DIAS",
          expiresAt: "2030-12",
          cvv: "123",
          isBackup: true
        },
        response: { type: true, Card: card },
        errors: {
          404: failureOf(
            "Customer.myId",
            "no customer of this company has that identifier: GET /customers lists all customers, POST /customers creates one"
          )
        }
      }
    }),
    write("DELETE", "remove", "/cards/:cardId/:typeId", {
      operationId: "removeCard",
      scope: "cards.write",
      summary: "Remove card",
      description:
        "Deactivates a card: it is not charged again and remains in the list as inactive. A card that pays a " +
        "subscription or a charge is a 400: give that subscription or charge another card first.",
      params: entityPath("card"),
      success: DoneResponse,
      errors: [wire.NotFound],
      examples: {
        response: { type: true },
        errors: { 404: failureOf("Card.myId", "no card of this company has that identifier") }
      }
    })
  )
  .middleware(BearerToken)
  .annotate(FaultEntity, "Card")
  .annotateMerge(OpenApi.annotations({ title: "Cards", description: "The cards of customers." })) {}
