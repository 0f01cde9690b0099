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
  "no customer of this company has that identifier: to create a customer, omit it and send name, document and emails":
    "nenhum cliente desta empresa tem esse identificador: para criar um, não o envie e envie name, document e emails",
  "no customer of this company has that identifier: to create a customer, also send name, document and emails":
    "nenhum cliente desta empresa tem esse identificador: para criar um, envie também name, document e emails",
  "no customer of this company has that identifier: to create a customer, also send name and emails":
    "nenhum cliente desta empresa tem esse identificador: para criar um, envie também name e emails",
  "no customer of this company has that identifier: GET /customers lists all customers, POST /customers creates one":
    "nenhum cliente desta empresa tem esse identificador: GET /customers lista os que existem, POST /customers cria um",
  'the customer with this document has the myId "{}": send that myId or the svcPayId':
    'o cliente com este documento tem o myId "{}": envie esse myId ou o svcPayId',
  "a new customer needs {}": "um cliente novo precisa de {}",
  "is required for a new customer": "é obrigatório para um cliente novo",
  "a customer without an address needs {}": "um cliente sem endereço precisa de {}",
  "is required for a customer without an address": "é obrigatório para um cliente sem endereço",
  "these fields identify different customers: {}": "estes campos indicam clientes diferentes: {}",
  "customer {} already has this document": "o cliente {} já tem este documento",
  "a transaction that is {} cannot get another value, payday or card, and cannot be paid outside the service":
    "uma transação com status {} não pode ter outro valor, vencimento ou cartão, e não pode ser paga fora do serviço",
  "this transaction is not paid by card": "esta transação não é paga com cartão",
  "must be today ({}): the card is charged now, or the payment outside the service was made today":
    "deve ser hoje ({}): o cartão é cobrado agora, ou o pagamento fora do serviço foi feito hoje",
  "there is no card to charge: send one with the request, or before a retry with PUT /transactions/{transactionId}/{typeId}":
    "não há cartão para cobrar: envie um na requisição, ou antes de uma nova tentativa com PUT /transactions/{transactionId}/{typeId}",
  "must be from 1 to {}, the maximum number of instalments for {} cards":
    "deve ser de 1 a {}, o número máximo de parcelas para cartões {}",
  "creditcard needs a card, and this charge has none: cancel the charge and create one with a card":
    "creditcard precisa de um cartão, e esta cobrança não tem nenhum: cancele a cobrança e crie outra com cartão",
  "the plan is inactive: activate it, or use another plan": "o plano está inativo: ative-o ou use outro plano",
  "the plan has no price for {}: send a value": "o plano não tem preço para {}: envie um value",
  "a subscription without a plan needs {}": "uma assinatura sem plano precisa de {}",
  "is required for a subscription without a plan": "é obrigatório para uma assinatura sem plano",
  "a payment of a manual subscription needs {}": "um pagamento de uma assinatura manual precisa de {}",
  "is required for a payment of a manual subscription": "é obrigatório para um pagamento de uma assinatura manual",
  "a manual subscription has no value and no plan: edit its payments":
    "uma assinatura manual não tem valor nem plano: edite os pagamentos dela",
  "the card is used by a subscription or charge: set another card there first":
    "o cartão é usado por uma assinatura ou cobrança: defina outro cartão nela antes",
  "this customer has no card with that identifier": "este cliente não tem cartão com esse identificador",
  "the card expired at the end of {}": "o cartão venceu no fim de {}",
  "cards of this brand are not accepted: send another card":
    "cartões desta bandeira não são aceitos: envie outro cartão",
  '"{}" is already in use': '"{}" já está em uso',
  "a subscription that is {} does not accept payments": "uma assinatura com status {} não aceita pagamentos",
  'a subscription that is {} does not allow "{}"': 'uma assinatura com status {} não permite "{}"',
  'a charge that is {} does not allow "{}"': 'uma cobrança com status {} não permite "{}"',
  "the subscription is already {}: there is nothing to cancel":
    "a assinatura já está com status {}: não há nada a cancelar",
  "a subscription without end cannot be closed: cancel it instead":
    "uma assinatura sem fim não pode ser encerrada: cancele-a",
  "the subscription cannot be closed yet: it has had {} of {} payments":
    "a assinatura ainda não pode ser encerrada: teve {} de {} pagamentos",
  "must be at most {}: later instalments would be due after the year 9999":
    "deve ser no máximo {}: parcelas posteriores venceriam depois do ano 9999",
  "there is no instalment {}: the quantity is {}": "não existe a parcela {}: a quantidade é {}",
  "instalment {} would be due on {}, which is in the past (today is {}): send a later firstPayDayDate, or say in Transactions that it was paid outside the service":
    "a parcela {} venceria em {}, que já passou (hoje é {}): envie um firstPayDayDate posterior, ou diga em Transactions que foi paga fora do serviço",
  "{} is in the past (today is {}): a boleto or a Pix must be due today or later":
    "{} já passou (hoje é {}): um boleto ou um Pix deve vencer hoje ou depois",
  "the value of a boleto is at most {} cents": "o valor de um boleto é de no máximo {} centavos",
  "a transaction that is {} cannot be retried: only denied, notSend and authorized can":
    "uma transação com status {} não pode ser retentada: só denied, notSend e authorized",
  "retry at {} or later: {~}": "tente de novo a partir de {}: {~}",
  "this charge must not be retried with the same card data: {~}":
    "esta cobrança não pode ser retentada com os mesmos dados do cartão: {~}",
  "the provider has not responded yet: read the transaction again shortly":
    "o provedor foi consultado e ainda não respondeu: consulte a transação de novo em instantes",
  "the outcome does not belong to the pending attempt": "o resultado não é da tentativa pendente",
  "the boleto bank denied the request: {~} ({})": "o banco do boleto negou a requisição: {~} ({})",
  "the card operator denied the request: {~} ({})": "a operadora de cartão negou a requisição: {~} ({})",
  "the Pix provider denied the request: {~} ({})": "o provedor do Pix negou a requisição: {~} ({})",
  "the transaction is not registered at its bank or Pix provider yet, so it cannot have been paid there":
    "a transação ainda não está registrada no banco ou no provedor do Pix, então não pode ter sido paga lá",
  "a transaction that is {} cannot be sent to the card operator":
    "uma transação com status {} não pode ser enviada à operadora de cartão",
  "a transaction that is {} cannot be captured": "uma transação com status {} não pode ser capturada",
  "a transaction that is {} cannot be reversed": "uma transação com status {} não pode ser estornada",
  "a transaction that is {} cannot be disputed": "uma transação com status {} não pode ser contestada",
  "a transaction that is {} cannot be paid": "uma transação com status {} não pode ser paga",
  "a transaction that is {} cannot be cancelled at its provider":
    "uma transação com status {} não pode ser cancelada no provedor",
  "a transaction that is {} cannot expire": "uma transação com status {} não pode expirar",
  "a transaction that is {} cannot be cancelled": "uma transação com status {} não pode ser cancelada",
  "a transaction that is {} cannot be cancelled: release the amount with /reverse, or capture it with /capture":
    "uma transação com status {} não pode ser cancelada: libere o valor com /reverse, ou capture-o com /capture",
  "a transaction that is {} cannot be cancelled: return the amount with /reverse":
    "uma transação com status {} não pode ser cancelada: devolva o valor com /reverse",
  "a transaction that is {} cannot be paid outside the service":
    "uma transação com status {} não pode ser paga fora do serviço",
  "a transaction that is {} cannot be waived": "uma transação com status {} não pode ser isentada",
  // Public clients compare the message of a charge, so its words must not change.
  "No charge was found to be cancelled.": "Nenhuma cobrança avulsa encontrada para cancelar.",
  "No transaction was found to be cancelled.": "Nenhuma transação encontrada para cancelar.",
  "must be from 1 to {}, the amount in cents that can still be reversed":
    "deve ser de 1 a {}, o valor em centavos que ainda pode ser devolvido",
  "an authorized amount can only be released as a whole: omit valueToReverse":
    "um valor autorizado só pode ser liberado por inteiro: não envie valueToReverse",
  "a Pix must be paid exactly: {} cents were paid, {} were due":
    "um Pix deve ser pago pelo valor exato: {} centavos foram pagos, {} eram devidos",
  "this payment was already reported with another amount: {} cents then, {} cents now":
    "este pagamento já foi informado com outro valor: {} centavos antes, {} centavos agora",
  "this server sends webhooks only to public addresses, and this address is private: use a public address, or change PARCELA_WEBHOOK_DESTINATIONS":
    "este servidor só envia webhooks a endereços públicos, e este é privado: use um endereço público ou altere PARCELA_WEBHOOK_DESTINATIONS",
  "the transaction can still be paid: it expires at {}": "a transação ainda pode ser paga: expira em {}"
}
