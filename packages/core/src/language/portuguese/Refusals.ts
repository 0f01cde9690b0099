/**
 * Portuguese translations of refusals.
 *
 * @since 0.1.0
 */

/**
 * Translations by the messages of `BillingError`.
 *
 * @category tables
 * @since 0.1.0
 */
export const refusals: Readonly<Record<string, string>> = {
  "no subscription of this company has that identifier": "nenhuma assinatura desta empresa tem esse identificador",
  "no transaction of this company has that identifier": "nenhuma transação desta empresa tem esse identificador",
  "no charge of this company has that identifier": "nenhuma cobrança desta empresa tem esse identificador",
  "no plan of this company has that identifier": "nenhum plano desta empresa tem esse identificador",
  "no card of this company has that identifier": "nenhum cartão desta empresa tem esse identificador",
  "no customer of this company has that identifier": "nenhum cliente desta empresa tem esse identificador",
  "no customer of this company has that identifier: to create one, leave it out and give name, document and emails":
    "nenhum cliente desta empresa tem esse identificador: para criar um, não o envie e envie name, document e emails",
  "no customer of this company has that identifier: to create one, give name, document and emails too":
    "nenhum cliente desta empresa tem esse identificador: para criar um, envie também name, document e emails",
  "no customer of this company has that identifier: to create one, give name and emails too":
    "nenhum cliente desta empresa tem esse identificador: para criar um, envie também name e emails",
  "no customer of this company has that identifier: GET /customers lists those there are, POST /customers creates one":
    "nenhum cliente desta empresa tem esse identificador: GET /customers lista os que existem, POST /customers cria um",
  'the customer with this document has the myId "{}": name it by that, or by svcPayId':
    'o cliente com este documento tem o myId "{}": use-o, ou use svcPayId',
  "a new customer needs {}": "um cliente novo precisa de {}",
  "is required for a new customer": "é obrigatório para um cliente novo",
  "a customer without an address needs {}": "um cliente sem endereço precisa de {}",
  "is required for a customer without an address": "é obrigatório para um cliente sem endereço",
  "these name different customers: {}": "indicam clientes diferentes: {}",
  "customer {} has this document already": "o cliente {} já tem este documento",
  "a transaction that is {} keeps its value, its payday and its card, and cannot be paid outside the service":
    "uma transação com status {} mantém valor, vencimento e cartão, e não pode ser paga fora do serviço",
  "this transaction is not paid by card": "esta transação não é paga com cartão",
  "only today ({}) can be given: it tries the card now, or is the day of a payment outside":
    "só hoje ({}) pode ser enviado: tenta o cartão agora, ou é o dia de um pagamento por fora",
  "there is no card to charge: give one with the request, or before a retry with PUT /transactions/{transactionId}/{typeId}":
    "não há cartão para cobrar: envie um na requisição, ou antes de uma nova tentativa com PUT /transactions/{transactionId}/{typeId}",
  "must be from 1 to {}, the limit for instalments of a card of {}":
    "deve ser de 1 a {}: é o máximo de parcelas de um cartão {}",
  "the charge is paid by {}, and stays so: cancel it and create another":
    "a cobrança é paga com {}, e isso não muda: cancele-a e crie outra",
  "the plan is inactive: it takes no more subscriptions": "o plano está inativo: não recebe mais assinaturas",
  "the plan has no price for {}: give a value": "o plano não tem preço para {}: envie um value",
  "a subscription without a plan needs {}": "uma assinatura sem plano precisa de {}",
  "is required for a subscription without a plan": "é obrigatório para uma assinatura sem plano",
  "a payment of a manual subscription needs {}": "um pagamento de uma assinatura manual precisa de {}",
  "is required for a payment of a manual subscription": "é obrigatório para um pagamento de uma assinatura manual",
  "a manual subscription has no value and no plan: edit its payments":
    "uma assinatura manual não tem valor nem plano: edite os pagamentos dela",
  "a subscription or charge is paid with this card: give that one another card first":
    "uma assinatura ou cobrança é paga com este cartão: dê outro cartão a ela antes",
  "this customer has no card with that identifier": "este cliente não tem cartão com esse identificador",
  "the card expired at the end of {}": "o cartão venceu no fim de {}",
  "no operator here takes cards of this brand": "nenhuma operadora aqui aceita cartões desta bandeira",
  '"{}" is in use already': '"{}" já está em uso',
  "a subscription that is {} takes no more payments": "uma assinatura com status {} não recebe mais pagamentos",
  'a subscription that is {} does not allow "{}"': 'uma assinatura com status {} não permite "{}"',
  'a charge that is {} does not allow "{}"': 'uma cobrança com status {} não permite "{}"',
  "the subscription is {} already: nothing of it is left to be cancelled":
    "a assinatura já está com status {}: não há mais nada a cancelar",
  "the subscription has no last payment after which it could be closed: cancel it instead":
    "a assinatura não tem último pagamento para ser encerrada: cancele-a",
  "the subscription has had {} of {} payments": "a assinatura teve {} de {} pagamentos",
  "until the year 9999 there are {} instalments": "até o ano 9999 há {} parcelas",
  "there is no instalment {}: the quantity is {}": "não existe a parcela {}: a quantidade é {}",
  "instalment {} would be due on {}, which is over (today is {}): begin later, or say in Transactions that it was paid outside":
    "a parcela {} venceria em {}, que já passou (hoje é {}): comece depois, ou diga em Transactions que foi paga por fora",
  "{} is over (today is {}): a boleto or a Pix cannot be due in the past":
    "{} já passou (hoje é {}): um boleto ou um Pix não pode vencer no passado",
  "a boleto holds at most {} cents": "um boleto comporta no máximo {} centavos",
  "a transaction that is {} cannot be retried: only denied, notSend and authorized can":
    "uma transação com status {} não pode ser retentada: só denied, notSend e authorized",
  "try again from {} on: {~}": "tente de novo a partir de {}: {~}",
  "this charge must not be tried again with the same card data: {~}":
    "esta cobrança não pode ser retentada com os mesmos dados do cartão: {~}",
  "the provider has not responded yet: read the transaction again shortly":
    "o provedor foi consultado e ainda não respondeu: consulte a transação de novo em instantes",
  "the outcome belongs to another attempt than the one under way":
    "o resultado é de outra tentativa, e não da que está em andamento",
  "the boleto bank denied it: {~} ({})": "o banco do boleto negou: {~} ({})",
  "the card operator denied it: {~} ({})": "a operadora de cartão negou: {~} ({})",
  "the Pix provider denied it: {~} ({})": "o provedor do Pix negou: {~} ({})",
  "it is not registered at its bank or Pix provider yet, so it cannot have been paid there":
    "ainda não está registrada no banco ou no provedor do Pix, então não pode ter sido paga lá",
  "a transaction that is {} cannot be sent to the card operator":
    "uma transação com status {} não pode ser enviada à operadora de cartão",
  "a transaction that is {} cannot be captured": "uma transação com status {} não pode ser capturada",
  "a transaction that is {} cannot be reversed": "uma transação com status {} não pode ser estornada",
  "a transaction that is {} cannot be disputed": "uma transação com status {} não pode ser contestada",
  "a transaction that is {} cannot be paid": "uma transação com status {} não pode ser paga",
  "a transaction that is {} cannot be withdrawn from its provider":
    "uma transação com status {} não pode ser retirada do provedor",
  "a transaction that is {} cannot expire": "uma transação com status {} não pode expirar",
  "a transaction that is {} cannot be cancelled": "uma transação com status {} não pode ser cancelada",
  "a transaction that is {} cannot be cancelled: release the amount with /reverse, or take it with /capture":
    "uma transação com status {} não pode ser cancelada: libere o valor com /reverse, ou capture-o com /capture",
  "a transaction that is {} cannot be cancelled: give the amount back with /reverse":
    "uma transação com status {} não pode ser cancelada: devolva o valor com /reverse",
  "a transaction that is {} cannot be paid outside the service":
    "uma transação com status {} não pode ser paga fora do serviço",
  "a transaction that is {} cannot be waived": "uma transação com status {} não pode ser isentada",
  // Public clients compare the message of a charge, so its words must not change.
  "No charge was found to be cancelled.": "Nenhuma cobrança avulsa encontrada para cancelar.",
  "No transaction was found to be cancelled.": "Nenhuma transação encontrada para cancelar.",
  "the amount to reverse must be from 1 to the {} cents that are left":
    "o valor a devolver deve ser de 1 até os {} centavos que restam",
  "an amount that is only authorized is released whole: leave valueToReverse out":
    "um valor apenas autorizado é liberado por inteiro: não envie valueToReverse",
  "a Pix is paid exactly: {} cents were paid and {} were due":
    "um Pix é pago pelo valor exato: {} centavos foram pagos e {} eram devidos",
  "this payment was reported before and otherwise: {} cents then, {} now":
    "este pagamento já foi informado, e de outra forma: {} centavos antes, {} agora",
  "this server delivers to public addresses only, and this one is private: see PARCELA_WEBHOOK_DESTINATIONS":
    "este servidor só entrega em endereços públicos, e este é privado: veja PARCELA_WEBHOOK_DESTINATIONS",
  "it can still be paid: it expires at {}": "ainda pode ser paga: expira em {}"
}
