/**
 * Portuguese translations of validation errors.
 *
 * @since 0.1.0
 */

/**
 * Translations by the messages of `ErrorDetails`, of the request schemas and of `RequestTolerance`.
 *
 * @category tables
 * @since 0.1.0
 */
export const validationErrors: Readonly<Record<string, string>> = {
  "is required": "é obrigatório",
  "is required: client_credentials": "é obrigatório: client_credentials",
  "is required when createOn is daysBeforePayDay": "é obrigatório quando createOn é daysBeforePayDay",
  "is required when createOn is daysAfterPayment": "é obrigatório quando createOn é daysAfterPayment",
  "is not a field here": "não é um campo daqui",
  "is not a field here: did you mean {}?": "não é um campo daqui: você quis dizer {}?",
  "is not a filter of this list: it has {}": "não é um filtro desta lista, que tem {}",
  "is not allowed here": "não é permitido aqui",
  "is sent more than once": "foi enviado mais de uma vez",
  "is sent under two names with different values: send only one of them":
    "foi enviado com dois nomes e valores diferentes: envie um só",
  "is not JSON": "não é JSON",
  "is not JSON: it ends at line {}, column {}, where {>} should follow":
    "não é JSON: termina na linha {}, coluna {}, onde deveria vir {>}",
  "is not JSON: at line {}, column {} should be {>}": "não é JSON: na linha {}, coluna {} deveria haver {>}",
  "a value": "um valor",
  "a value or ]": "um valor ou ]",
  "a key in double quotes": "uma chave entre aspas duplas",
  "a key in double quotes or }": "uma chave entre aspas duplas ou }",
  "a colon": "dois-pontos",
  "a comma or {}": "uma vírgula ou {}",
  "nothing more": "mais nada",
  "the rest of a text, with escaped control characters": "o resto de um texto, com os caracteres de controle escapados",
  'an escape such as \\n, \\" or \\u00e9': 'um escape como \\n, \\" ou \\u00e9',
  "a closing double quote": "aspas duplas de fechamento",
  "has more than {} characters": "tem mais de {} caracteres",
  "has more than {} items": "tem mais de {} itens",
  "has more than {} fields": "tem mais de {} campos",
  "has more than {} items and fields in total": "tem mais de {} itens e campos ao todo",
  "is nested deeper than {} levels, the maximum": "tem mais de {} níveis de aninhamento, o máximo",
  "the provider was called but has not responded": "o provedor foi consultado e a resposta não chegou",
  "is neither JSON nor a form": "não é JSON nem formulário",
  "matches more than one of the allowed forms": "corresponde a mais de uma das formas permitidas",
  "and {} more like these": "e mais {} como estes",
  "item {}: {>}": "item {}: {>}",
  "must be {>}": "deve ser {>}",
  "must have {>}": "deve ter {>}",
  "a manual subscription has no Transactions: add payments with POST /transactions/{subscriptionId}/{typeId}/add":
    "uma assinatura manual não tem: adicione pagamentos com POST /transactions/{subscriptionId}/{typeId}/add",
  "card hashes made in a browser are not accepted: send number, holder, expiresAt and cvv, or the svcPayId or myId of a card of the customer":
    "cartões transformados em hash pelo navegador não são aceitos: envie number, holder, expiresAt e cvv, ou o svcPayId ou myId de um cartão do cliente",
  "a payment uses the settings of its subscription or charge: set this there, in PaymentMethodBoleto or PaymentMethodPix":
    "um pagamento usa as configurações da sua assinatura ou cobrança: defina isto lá, em PaymentMethodBoleto ou PaymentMethodPix",
  "belongs in PaymentMethodBoleto or PaymentMethodPix": "pertence a PaymentMethodBoleto ou PaymentMethodPix",
  "11 (CPF) or 14 (CNPJ) digits": "11 dígitos (CPF) ou 14 dígitos (CNPJ)",
  "{} digits": "{} dígitos",
  "3 or 4 digits": "3 ou 4 dígitos",
  "a CPF or CNPJ of at most 14 digits or letters": "um CPF ou CNPJ de no máximo 14 dígitos ou letras",
  "a CPF or CNPJ whose last two digits (the check digits) match the rest":
    "um CPF ou CNPJ cujos dois últimos dígitos (verificadores) conferem",
  "a card number of 13 to 19 digits, without dots": "um número de cartão de 13 a 19 dígitos, sem pontos",
  "a card number with a valid check digit; a digit is wrong":
    "um número de cartão com dígito verificador válido; algum dígito está errado",
  "a date written YYYY-MM-DD": "uma data no formato AAAA-MM-DD",
  "a day that exists in the calendar": "um dia que existe no calendário",
  "a number that is not one digit repeated": "um número que não repete um só dígito",
  "a value of another type": "um valor de outro tipo",
  "a number": "um número",
  "a number: cents, 12990 for R$ 129,90": "um número: centavos, 12990 para R$ 129,90",
  "a list": "uma lista",
  "an object": "um objeto",
  text: "texto",
  null: "nulo",
  true: "true",
  "true or false": "true ou false",
  "valid JSON": "JSON válido",
  "a whole number": "um número inteiro",
  "is empty: omit it to list everything": "está vazio: não o envie para listar tudo",
  "a whole number from {} to {}": "um número inteiro de {} a {}",
  "a whole number of {} to {} digits": "um número inteiro de {} a {} dígitos",
  "an amount in cents: a whole number from {} to {}": "um valor em centavos: um número inteiro de {} a {}",
  "an identifier of the service: a whole number from {} to {}":
    "um identificador do serviço: um número inteiro de {} a {}",
  "a year and a month written YYYY-MM": "um ano e um mês no formato AAAA-MM",
  "an address of a receiver, not a link-local, multicast, broadcast or unspecified one, nor a cloud's metadata service":
    "um endereço de um receptor, e não link-local, multicast, broadcast, indefinido ou do serviço de metadados de uma nuvem",
  "an address that starts with http:// or https://, such as http://127.0.0.1:8142/":
    "um endereço que comece com http:// ou https://, como http://127.0.0.1:8142/",
  "an address with a well-formed host name and a port from 1 to 65535":
    "um endereço com nome de host bem formado e porta de 1 a 65535",
  "an address without blanks or line feeds": "um endereço sem espaços nem quebras de linha",
  "an http or https address without a user name or password": "um endereço http ou https sem usuário nem senha",
  "an e-mail address": "um endereço de e-mail",
  "an order that names each field once": "uma ordem que cita cada campo uma vez",
  "at least one cent": "pelo menos um centavo",
  "at least one character": "pelo menos um caractere",
  "at least one e-mail address": "pelo menos um endereço de e-mail",
  "at least one price": "pelo menos um preço",
  "{} to {} characters": "de {} a {} caracteres",
  "at most {} characters": "no máximo {} caracteres",
  "at most {} e-mail addresses": "no máximo {} endereços de e-mail",
  "at most {} events": "no máximo {} eventos",
  "at most {} fields": "no máximo {} campos",
  "at most {} numbers": "no máximo {} números",
  "at most {} prices": "no máximo {} preços",
  "at most {} values joined by commas": "no máximo {} valores separados por vírgula",
  "digits and capital letters only, without punctuation": "só dígitos e letras maiúsculas, sem pontuação",
  "11 (CPF) or 14 (CNPJ) characters": "11 (CPF) ou 14 (CNPJ) caracteres",
  "digits only in a CPF and in the last two places of a CNPJ":
    "só dígitos em um CPF e nas duas últimas posições de um CNPJ",
  "digits only, without punctuation": "só dígitos, sem pontuação",
  "a list with each instalment once": "uma lista com cada parcela uma só vez",
  "one of {}": "um destes: {}",
  "one price for each payment method and number of instalments":
    "um preço para cada forma de pagamento e número de parcelas",
  "text without NUL characters, broken surrogate pairs or characters that were not UTF-8":
    "texto sem caracteres NUL, pares substitutos quebrados ou caracteres que não eram UTF-8",
  "the number of days that the chosen createOn needs": "o número de dias que o createOn escolhido exige"
}
