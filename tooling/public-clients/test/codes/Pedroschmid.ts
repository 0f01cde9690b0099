/** A Nest service that registers leads as customers, from a queue: a lead that fails is put back. */
import { address } from "./People.ts"
import { json, type PublicCode, usualScope } from "../replay/PublicCode.ts"

const lead = { name: "Ana Lima", document: "11144477735", emails: ["ana@example.com"], phones: ["5511987654321"] }

export const pedroschmid: PublicCode = {
  repository: "pedroschmid/nestjs-galaxpay-integration",
  language: "TypeScript",
  headers: json,
  login: { headers: json, scope: usualScope },
  flows: [
    {
      name: "registers leads, with the number of a house as a number or without an address",
      steps: [
        {
          does: "registers one",
          method: "POST",
          path: "/customers",
          body: { myId: "lead-1", ...lead, Address: { ...address, number: 10 } },
          reads: { type: true }
        },
        {
          does: "registers another",
          method: "POST",
          path: "/customers",
          body: { myId: "lead-2", ...lead, document: "52998224725" },
          reads: { type: true }
        }
      ],
      ends: [
        {
          does: "both are customers",
          method: "GET",
          path: "/customers?startAt=0&limit=10&order=createdAt.asc",
          reads: { totalQtdFoundInPage: 2, "Customers.0.phones": [11987654321], "Customers.0.Address.number": "10" }
        }
      ]
    }
  ]
}
