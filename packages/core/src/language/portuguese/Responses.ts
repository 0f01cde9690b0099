/**
 * Portuguese translations of error responses.
 *
 * @since 0.1.0
 */

/**
 * Translations by the messages of the HTTP layer and of authentication.
 *
 * @category tables
 * @since 0.1.0
 */
export const responses: Readonly<Record<string, string>> = {
  "The request has a fault": "A requisição tem um erro",
  "The request has {} faults": "A requisição tem {} erros",
  "The request has {} faults; those of {} fields are listed":
    "A requisição tem {} erros; os de {} campos estão listados",
  "The request is too large": "A requisição é grande demais",
  "The request cannot be read": "A requisição não pode ser lida",
  "The request has no Host": "A requisição não tem Host",
  "The request has more than one {} header field": "A requisição tem mais de um cabeçalho {}",
  "The request took too long to arrive": "A requisição demorou demais para chegar",
  "The header fields are too large": "Os cabeçalhos são grandes demais",
  "The path has a fault": "O caminho tem um erro",
  "A part of the path is too long, or is not UTF-8 that is percent-encoded":
    "Uma parte do caminho é longa demais, ou não é UTF-8 codificado com %",
  "The query is not UTF-8 that is percent-encoded": "A query não é UTF-8 codificado com %",
  "There is nothing at this address: see {} for what there is": "Não há nada neste endereço: veja em {} o que existe",
  "This address does not take {}, only {}": "Este endereço não aceita {}, só {}",
  "The body is larger than {}, which is the most that is read": "O corpo é maior que {}, o máximo que é lido",
  "Send application/json, not {}": "Envie application/json, e não {}",
  "The service failed; the fault is ours and has been reported": "O serviço falhou; o erro é nosso e foi registrado",
  "This operation is known and is not implemented here: see /docs for what there is":
    "Esta operação é conhecida e não está implementada aqui: veja em /docs o que existe",
  "The service cannot use its store at the moment: {>}": "O serviço não consegue usar o banco de dados no momento: {>}",
  "try again": "tente de novo",
  "nothing was changed, try again": "nada foi alterado, tente de novo",
  "The outcome is not known yet, and the money may have moved: repeat the request to get the outcome":
    "O resultado ainda não é conhecido, e o dinheiro pode ter saído: repita a requisição para obter o resultado",
  "The {} could not be reached: nothing was changed, try again":
    "Não foi possível contatar o provedor ({}): nada foi alterado, tente de novo",
  "Another request wrote the same identifier at the same moment: look, then try again":
    "Outra requisição gravou o mesmo identificador no mesmo momento: consulte e tente de novo",
  "This Idempotency-Key was used with another request: use a new key for a new request, or repeat the same body under the same key":
    "Esta Idempotency-Key foi usada com outra requisição: use uma chave nova para uma requisição nova, ou repita o mesmo corpo com a mesma chave",
  "Too many wrong secrets were tried: wait before you try again":
    "Foram tentados segredos errados demais: espere antes de tentar de novo",
  "The Idempotency-Key has a fault": "A Idempotency-Key tem um erro",
  "Send client id and client secret as HTTP Basic authentication":
    "Envie client id e client secret como autenticação HTTP Basic",
  "Client id or client secret is wrong": "Client id ou client secret incorreto",
  "Send Authorization: Bearer ACCESS_TOKEN, with the access_token that POST /token returns":
    "Envie Authorization: Bearer ACCESS_TOKEN, com o access_token que POST /token devolve",
  "The token lacks the scope {}": "O token não tem o escopo {}",
  "This address is not on the company's list of allowed addresses":
    "Este endereço não está na lista de endereços permitidos da empresa",
  "None of the requested scopes is granted to this company: it has {}":
    "Nenhum dos escopos pedidos é concedido a esta empresa: ela tem {}",
  "The access token is unknown or expired: get a new one with POST /token (it lasts {~})":
    "O token de acesso é desconhecido ou expirou: obtenha outro com POST /token (dura {~})",
  "1 minute": "1 minuto",
  "{} minutes": "{} minutos",
  "The operations are under /v2; /docs describes them for people and /openapi.json for programs":
    "As operações ficam em /v2; /docs as descreve para pessoas e /openapi.json para programas",
  "There is no such document: the link is wrong or incomplete":
    "Esse documento não existe: o link está errado ou incompleto",
  "Of all transfer codings only chunked is understood":
    "De todas as codificações de transferência, só chunked é entendida",
  "This is not an HTTP request": "Isto não é uma requisição HTTP",
  "Of all expectations only 100-continue is understood": "De todas as expectativas, só 100-continue é entendida",
  "The service is stopping: nothing was changed, try again": "O serviço está parando: nada foi alterado, tente de novo",
  "The address with its query is too long": "O endereço com a consulta é longo demais",
  "The service is starting: try again in a second": "O serviço está iniciando: tente de novo em um segundo",
  "The service has too many requests: nothing was changed, try again":
    "O serviço tem requisições demais: nada foi alterado, tente de novo",
  "The request failed: what was requested may have been done":
    "A requisição falhou: o que foi pedido pode ter sido feito",
  "The service was stopped before it had a response: what was requested may have been done":
    "O serviço foi parado antes de ter uma resposta: o que foi pedido pode ter sido feito",
  "This is no proxy: it takes no CONNECT": "Isto não é um proxy: não aceita CONNECT"
}
