/** The platform hands its events and requests to functions: here they are the functions themselves. */

export const createAppEventsFunction = <Handler>(_app: string, handler: Handler): Handler => handler

export const region = () => ({ runWith: () => ({ https: { onRequest: <Handler>(handler: Handler) => handler } }) })
