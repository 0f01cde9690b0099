/**
 * `parcela sandbox companies`: the tenants of a sandbox.
 *
 * @since 0.1.0
 */
import type { Scope } from "@parcela/core/companies/Scope"
import type {
  CompanyDetails,
  CompanyEdit,
  CompanyKeys,
  ListedCompany
} from "@parcela/transport/sandbox/CompanyControls"
import { Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { control, timeOf } from "../../Control.ts"
import { key, keys, many, split, text } from "../../Flags.ts"
import { facts, type Paint } from "../../Terminal.ts"
import { table } from "../../Table.ts"

type Listed = typeof ListedCompany.Type

const listed = (paint: Paint, companies: ReadonlyArray<Listed>, next: string | null): string =>
  companies.length === 0
    ? "No companies."
    : table(
        paint,
        ["ID", "CLIENT ID", "NAME", "CREATED"],
        companies.map(({ clientId, companyId, createdAt, name }) => [
          String(companyId),
          clientId,
          name,
          timeOf(createdAt)
        ]),
        { leftOut: ["CREATED"], cut: ["NAME"] }
      ) + (next === null ? "" : `\nNext page: --after ${next}`)

const list = Command.make("list", { after: text("after", "Only client ids after this one", "client id") }, (given) =>
  control(
    (client) => client.companies.list(key("after", given.after)),
    ({ companies, next }, paint) => listed(paint, companies, next)
  )
).pipe(
  Command.withDescription("List the companies of the sandbox by client id."),
  Command.withShortDescription("List companies"),
  Command.withExamples([{ command: "parcela sandbox companies list", description: "All companies" }])
)

const showFlag = Flag.Boolean("show").pipe(
  Flag.withDescription("Print the webhook keys as well"),
  Flag.withDefault(false)
)

/** Returns the lines of the keys with which receivers check deliveries. */
const keysOf = (
  { confirmHash, webhookSecret }: Pick<typeof CompanyKeys.Type, "confirmHash" | "webhookSecret">,
  show: boolean
) =>
  [
    ["webhook secret", show ? Redacted.value(webhookSecret) : "hidden (--show prints it)"],
    ["confirmHash", show ? Redacted.value(confirmHash) : "hidden (--show prints it)"]
  ] as const

const identityFlags = {
  legalName: text("legal-name", "Name on boletos and Pix codes", "name"),
  document: text("document", "Its CNPJ, without punctuation", "cnpj"),
  city: text("city", "City in Pix codes", "city")
}

const identityOf = (given: {
  readonly [Name in keyof typeof identityFlags]: Option.Option<string>
}): Omit<typeof CompanyEdit.Type, "name"> => ({
  ...key("legalName", given.legalName),
  // The request's validation reports an invalid CNPJ.
  ...(key("document", given.document) as Pick<typeof CompanyEdit.Type, "document">),
  ...key("city", given.city)
})

const identityFacts = ({ city, document, legalName, name }: typeof CompanyDetails.Type) =>
  [
    ["name", name],
    ["legal name", legalName],
    ["document", document],
    ["city", city]
  ] as const

/** Shows the client secret of a new company, which cannot be read later. */
const create = Command.make(
  "create",
  {
    clientId: Argument.String("client-id").pipe(
      Argument.withDescription("Client id; generated if absent"),
      Argument.optional
    ),
    name: text("name", "Name; default: the client id"),
    ...identityFlags,
    scope: many("scope", "Allowed scope of its tokens; default: all", "scope"),
    address: many("address", "Allowed address of its requests; default: any", "ip"),
    show: showFlag
  },
  (given) =>
    control(
      (client) =>
        client.companies.create({
          ...key("clientId", given.clientId),
          ...key("name", given.name),
          ...identityOf(given),
          // The request's validation reports an unknown scope.
          ...keys("scopes", split(given.scope) as ReadonlyArray<Scope>),
          ...keys("allowedAddresses", split(given.address))
        }),
      ({ clientId, clientSecret, companyId, ...keys }, paint) =>
        facts(paint, [
          ["company", String(companyId)],
          ["client id", clientId],
          ["client secret", Redacted.value(clientSecret)],
          ...keysOf(keys, given.show)
        ])
    )
).pipe(
  Command.withDescription(
    "Create a company with generated credentials. The client secret is printed once and cannot be read again. Commands use PARCELA_CLIENT_ID and PARCELA_CLIENT_SECRET, or a profile. companies show prints the webhook keys again."
  ),
  Command.withShortDescription("Create a company"),
  Command.withExamples([
    { command: "parcela sandbox companies create suite-7", description: "For a test suite" },
    { command: "parcela sandbox companies create --json | jq -r .clientSecret", description: "Output for a script" }
  ])
)

const show = Command.make(
  "show",
  {
    clientId: Argument.String("client-id").pipe(
      Argument.withDescription("Client id; default: --client-id"),
      Argument.optional
    ),
    show: showFlag
  },
  (given) =>
    control(
      (client, own) => client.companies.find(Option.getOrElse(given.clientId, () => own)),
      (company, paint) =>
        facts(paint, [
          ["company", String(company.companyId)],
          ["client id", company.clientId],
          ...identityFacts(company),
          ...keysOf(company, given.show)
        ])
    )
).pipe(
  Command.withDescription("Show a company as its payers see it, and the keys that verify its deliveries."),
  Command.withShortDescription("Show a company"),
  Command.withExamples([
    {
      command: "parcela sandbox companies show suite-7 --show",
      description: "The keys of its receiver"
    }
  ])
)

const edit = Command.make(
  "edit",
  {
    clientId: Argument.String("client-id").pipe(
      Argument.withDescription("Client id; default: --client-id"),
      Argument.optional
    ),
    name: text("name", "Its name"),
    ...identityFlags
  },
  (given) =>
    control(
      (client, own) =>
        client.companies.edit(
          Option.getOrElse(given.clientId, () => own),
          { ...key("name", given.name), ...identityOf(given) }
        ),
      (company, paint) =>
        facts(paint, [
          ["company", String(company.companyId)],
          ["client id", company.clientId],
          ...identityFacts(company)
        ])
    )
).pipe(
  Command.withDescription("Change a company's name and address on boletos, Pix pages and Pix codes."),
  Command.withShortDescription("Edit a company"),
  Command.withExamples([
    {
      command: "parcela sandbox companies edit suite-7 --legal-name 'Padaria Sete Ltda' --document 11444777000161",
      description: "Its name and CNPJ on boletos"
    }
  ])
)

export const companies = Command.make("companies").pipe(
  Command.withDescription("Companies of a sandbox, each with its own credentials, data and clock"),
  Command.withSubcommands([list, create, show, edit])
)
