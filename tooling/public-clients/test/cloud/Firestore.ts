/** The documents of the platform, in memory. Tests name theirs by orders and credentials of their own. */

type Document = { readonly [key: string]: unknown }

const documents = new Map<string, { readonly data: Document; readonly at: Date }>()

const doc = (path: string) => ({
  get: async () => {
    const found = documents.get(path)
    return {
      exists: found !== undefined,
      data: () => found?.data,
      get: (key: string) => found?.data[key],
      updateTime: { toDate: () => found?.at }
    }
  },
  set: async (data: Document, { merge = false } = {}) => {
    documents.set(path, { data: { ...(merge ? documents.get(path)?.data : {}), ...data }, at: new Date() })
  }
})

export const getFirestore = () => ({
  doc,
  collection: (name: string) => ({ doc: (id: string) => doc(`${name}/${id}`) })
})
