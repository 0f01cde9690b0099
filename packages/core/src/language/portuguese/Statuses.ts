/**
 * Portuguese translations of statuses and denials (`statusDescription`, `reasonDenied`).
 *
 * @since 0.1.0
 */

/**
 * @category tables
 * @since 0.1.0
 */
export const statuses: Readonly<Record<string, string>> = {
  "Not yet sent to the card operator": "Ainda não enviada para a operadora de cartão",
  Authorized: "Autorizada",
  "Captured at the card operator": "Capturada na operadora de cartão",
  "Denied at the card operator": "Negada na operadora de cartão",
  "Reversed at the card operator": "Estornada na operadora de cartão",
  "Reversed by chargeback": "Estornada por chargeback",
  "Boleto open": "Boleto em aberto",
  "Boleto settled": "Boleto liquidado",
  "Boleto written off after the deadline": "Boleto baixado por decurso de prazo",
  "Paid less than the original value": "Pago com valor menor que o original",
  "Paid more than the original value": "Pago com valor maior que o original",
  "Paid twice": "Pago em duplicidade",
  "Pix open": "Pix em aberto",
  "Pix paid": "Pix pago",
  "Pix unavailable for payment": "Pix indisponível para pagamento",
  "Cancelled manually": "Cancelada manualmente",
  "Paid outside the system": "Paga fora do sistema",
  "Cancelled when the subscription was cancelled": "Cancelada ao cancelar a assinatura",
  Exempt: "Isenta"
}

/**
 * Translations by the messages of `AbecsCode`.
 *
 * @category tables
 * @since 0.1.0
 */
export const denials: Readonly<Record<string, string>> = {
  "A surcharge is not supported by the debit network": "A rede de débito não aceita sobretaxa",
  "A surcharge is not supported": "Sobretaxa não aceita",
  "A transaction with the same trace data exists": "Já existe uma transação com os mesmos dados de rastreio",
  "Against the law": "Contrária à lei",
  "Against the rules on money laundering": "Contrária às regras contra lavagem de dinheiro",
  "Ask the acquirer": "Consulte o credenciador",
  "Denied by the issuer without a reason given, or suspected fraud":
    "Negada pelo emissor sem motivo informado, ou suspeita de fraude",
  "Denied by the issuer without a reason given": "Negada pelo emissor sem motivo informado",
  "Suspected fraud or no travel notice: the cardholder must talk to the issuer":
    "Suspeita de fraude ou falta de aviso de viagem: o portador deve falar com o emissor",
  "Error in the transaction": "Erro na transação",
  "Fraud is confirmed": "Fraude confirmada",
  "Fraud or security: the merchant advice code says what to do":
    "Fraude ou segurança: o código de orientação ao lojista diz o que fazer",
  "Issuer's rules: the merchant advice code says what to do":
    "Regras do emissor: o código de orientação ao lojista diz o que fazer",
  "Life cycle: the merchant advice code says what to do":
    "Ciclo de vida: o código de orientação ao lojista diz o que fazer",
  "No issuer has this card's number range": "Nenhum emissor tem a faixa deste cartão",
  "Not allowed for this card or terminal, confirmed fraud, or against the law":
    "Não permitida para este cartão ou terminal, fraude confirmada ou contrária à lei",
  "Not allowed for this card": "Não permitida para este cartão",
  "Not allowed for this card, blocked for a time or not yet unlocked":
    "Não permitida para este cartão, bloqueado temporariamente ou ainda não desbloqueado",
  "Not allowed for this card: lost, stolen or confirmed fraud":
    "Não permitida para este cartão: perdido, roubado ou fraude confirmada",
  "Not authorized": "Não autorizada",
  "Not enough balance or limit": "Saldo ou limite insuficiente",
  "Not enough balance or limit, or the terminal may not do this transaction":
    "Saldo ou limite insuficiente, ou transação não permitida para o terminal",
  "Not qualified for the Visa PIN": "Não qualificada para o Visa PIN",
  "Security violation or suspected fraud": "Violação de segurança ou suspeita de fraude",
  "Sent as credit, which the card does not have": "Enviada como crédito, que o cartão não tem",
  "Sent as debit, which the card does not have": "Enviada como débito, que o cartão não tem",
  "System failure at the brand or the issuer": "Falha do sistema da bandeira ou do emissor",
  "The account is closed": "Conta encerrada",
  "The card is blocked for a time, or for domestic use only":
    "Cartão bloqueado temporariamente ou só para uso doméstico",
  "The card is blocked for purchases today": "Cartão bloqueado para compras hoje",
  "The card is expired or its expiry date is wrong": "Cartão vencido ou data de validade incorreta",
  "The card is for domestic use only, or its account is closed": "Cartão só para uso doméstico ou conta encerrada",
  "The card is new and not unlocked, or locked by the cardholder":
    "Cartão novo ainda não desbloqueado, ou bloqueado pelo portador",
  "The card is to be collected": "O cartão deve ser recolhido",
  "The card is to be collected, or fraud is confirmed": "O cartão deve ser recolhido, ou fraude confirmada",
  "The card number does not exist at the issuer": "O número do cartão não existe no emissor",
  "The card number does not exist at the issuer, or the security code is wrong":
    "O número do cartão não existe no emissor, ou código de segurança incorreto",
  "The card was reported lost": "Cartão comunicado como perdido",
  "The card was reported stolen": "Cartão comunicado como roubado",
  "The card's cryptogram is wrong": "Criptograma do cartão incorreto",
  "The card's data or the instalment value is not valid": "Dados do cartão ou valor da parcela inválidos",
  "The card's data or token failed a check": "Dados ou token do cartão reprovados na verificação",
  "The card's or the password's cryptogram is wrong": "Criptograma do cartão ou da senha incorreto",
  "The cardholder stopped all authorizations": "O portador suspendeu todas as autorizações",
  "The cardholder stopped all recurring payments": "O portador suspendeu todos os pagamentos recorrentes",
  "The cardholder stopped this recurring payment": "O portador suspendeu este pagamento recorrente",
  "The cardholder's identity could not be checked": "Não foi possível verificar a identidade do portador",
  "The chip must be used": "É preciso usar o chip",
  "The destination account is not valid": "Conta de destino inválida",
  "The instalment value is not valid": "Valor da parcela inválido",
  "The issuer asks for stand-in processing": "O emissor pede processamento substituto",
  "The issuer asks to send the transaction again": "O emissor pede que a transação seja reenviada",
  "The issuer cannot be reached": "Emissor fora do ar",
  "The issuer's file cannot be updated": "O arquivo do emissor não pode ser atualizado",
  "The merchant is not valid": "Estabelecimento inválido",
  "The message has a wrong format": "Erro no formato da mensagem",
  "The message has a wrong format, or is wrong at the acquirer":
    "Erro no formato da mensagem, ou mensagem incorreta no credenciador",
  "The message is wrong at the acquirer": "Mensagem incorreta no credenciador",
  "The new password was not accepted": "A nova senha não foi aceita",
  "The password could not be changed or unlocked": "Não foi possível trocar ou desbloquear a senha",
  "The password expired or could not be decrypted": "Senha vencida ou erro na criptografia da senha",
  "The record is not in the issuer's file": "O registro não está no arquivo do emissor",
  "The reversal is not valid": "Estorno inválido",
  "The security code is wrong": "Código de segurança incorreto",
  "The source account is not valid": "Conta de origem inválida",
  "The terminal may not do this transaction": "Transação não permitida para o terminal",
  "The transaction could not be routed to an issuer": "A transação não pôde ser encaminhada a um emissor",
  "The value differs from the one authorized before": "Valor diferente do autorizado antes",
  "The value is above the card's limit for one purchase": "Valor acima do limite do cartão para uma compra",
  "The value is below the minimum": "Valor abaixo do mínimo",
  "The value is not valid or below the minimum": "Valor inválido ou abaixo do mínimo",
  "The value is not valid": "Valor inválido",
  "Too many withdrawals": "Excesso de saques",
  "Withdrawals are not available": "Saque não disponível",
  "Wrong password, or the new password was not accepted": "Senha incorreta, ou a nova senha não foi aceita",
  "Wrong password": "Senha incorreta",
  "Too many wrong passwords": "Excesso de tentativas de senha"
}
