/** The platform's settings, and its log, which tests do not read. */

const silent = () => {}

export const [log, info, warn, error] = [silent, silent, silent, silent]
export const logger = { log, info, warn, error }

const config = { get: () => ({ apps: { galaxPay: { appId: 123188 } }, httpsFunctionOptions: { region: "test" } }) }

// eslint-disable-next-line import/no-default-export -- The platform exports it so.
export default config
