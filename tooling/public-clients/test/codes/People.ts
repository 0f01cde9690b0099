/** Buyers and cards that stand in for those of the shops. */

export const address = {
  zipCode: "30130000",
  street: "Rua A",
  number: "10",
  neighborhood: "Centro",
  city: "Belo Horizonte",
  state: "MG"
}

/** The sandbox's test cards: captured, denied, and denied once. */
export const [captured, denied, deniedOnce] = ["4111111111111111", "4000000000000002", "4000000000000341"]

export const cardOf = (number: string) => ({ number, holder: "MARIA SOUZA", expiresAt: "2030-12", cvv: "123" })

export const buyer = {
  myId: "buyer",
  name: "Maria Souza",
  document: "52998224725",
  emails: ["maria@example.com"],
  Address: address
}
