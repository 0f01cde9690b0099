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
  "Credit card": "Cartão de crédito",
  "The request is invalid": "A requisição é inválida",
  "The request has {} errors": "A requisição tem {} erros",
  "The request has {} errors; those of {} fields are listed":
    "A requisição tem {} erros; os de {} campos estão listados",
  "The request is too large": "A requisição é grande demais",
  "The request cannot be read": "A requisição não pode ser lida",
  "The request has no Host": "A requisição não tem Host",
  "The request has more than one {} header field": "A requisição tem mais de um cabeçalho {}",
  "The request took too long to arrive": "A requisição demorou demais para chegar",
  "The header fields are too large": "Os cabeçalhos são grandes demais",
  "The path is invalid": "O caminho é inválido",
  "A part of the path is too long, or is not percent-encoded UTF-8":
    "Uma parte do caminho é longa demais, ou não é UTF-8 codificado com %",
  "The query is not percent-encoded UTF-8": "A query não é UTF-8 codificado com %",
  "There is no operation at this address: {} lists the operations":
    "Não há operação neste endereço: {} lista as operações",
  "This address does not accept {}, only {}": "Este endereço não aceita {}, só {}",
  "The body is larger than {}, the maximum": "O corpo é maior que {}, o máximo",
  "Send application/json, not {}": "Envie application/json, e não {}",
  "The service failed because of an internal error, which was logged":
    "O serviço falhou por um erro interno, que foi registrado",
  "This operation is not implemented: /docs lists the operations that are":
    "Esta operação não está implementada: /docs lista as que estão",
  "The service cannot use its store at the moment: {>}": "O serviço não consegue usar o banco de dados no momento: {>}",
  "try again": "tente de novo",
  "nothing was changed, try again": "nada foi alterado, tente de novo",
  "The outcome is not known yet, and the money may have moved: repeat the request to get the outcome":
    "O resultado ainda não é conhecido, e o dinheiro pode ter saído: repita a requisição para obter o resultado",
  "The {} could not be reached: nothing was changed, try again":
    "Não foi possível contatar o provedor ({}): nada foi alterado, tente de novo",
  "Another request wrote the same identifier at the same time: read the entity, then try again":
    "Outra requisição gravou o mesmo identificador ao mesmo tempo: consulte a entidade e tente de novo",
  "This Idempotency-Key was used with another request: use a new key for a new request, or repeat the same body under the same key":
    "Esta Idempotency-Key foi usada com outra requisição: use uma chave nova para uma requisição nova, ou repita o mesmo corpo com a mesma chave",
  "Too many wrong client secrets: wait before you try again": "Segredos errados demais: espere antes de tentar de novo",
  "The Idempotency-Key is invalid": "A Idempotency-Key é inválida",
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
  "The only supported transfer coding is chunked": "A única codificação de transferência aceita é chunked",
  "This is not an HTTP request": "Isto não é uma requisição HTTP",
  "The only supported expectation is 100-continue": "A única expectativa aceita é 100-continue",
  "The service is stopping: nothing was changed, try again": "O serviço está parando: nada foi alterado, tente de novo",
  "The URL is too long": "A URL é longa demais",
  "The service is starting: try again in a second": "O serviço está iniciando: tente de novo em um segundo",
  "The service has too many requests: nothing was changed, try again":
    "O serviço tem requisições demais: nada foi alterado, tente de novo",
  "The request failed: the operation may have been completed":
    "A requisição falhou: a operação pode ter sido concluída",
  "The service stopped before it could respond: the operation may have been completed":
    "O serviço parou antes de poder responder: a operação pode ter sido concluída",
  "This server is not a proxy: it does not support CONNECT": "Este servidor não é um proxy: não aceita CONNECT"
}
