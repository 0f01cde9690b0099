/** The functions of the app that these tests call; the app has no types. */
declare module "@cloudcommerce/app-galaxpay" {
  export interface Module {
    readonly redirect_to_payment?: boolean
    readonly transaction?: {
      readonly payment_link: string | null
      readonly status: { readonly current: string }
      readonly intermediator: { readonly transaction_id: string | null }
    }
    readonly status?: number
    readonly error?: string
    readonly message?: string
  }
  export const createTransaction: (body: object) => Promise<Module>
}
declare module "@cloudcommerce/app-galaxpay/events" {
  export interface Response {
    readonly sendStatus: (status: number) => void
    readonly status: (status: number) => { readonly send: (body: unknown) => void }
  }
  export const galaxpay: {
    readonly onStoreEvent: (event: object) => Promise<{ readonly data: unknown } | null>
    readonly webhook: (request: { readonly method: string; readonly body: unknown }, response: Response) => void
  }
}
