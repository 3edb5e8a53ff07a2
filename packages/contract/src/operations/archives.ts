import { type FeatureRoutes, get, post } from '../operation.ts'

/** An archive of a base without anything in it. */
const emptyArchive = `{"gateleg":"base","version":1,"name":"Reading room","icon":null}
{"end":{"lines":1,"sha256":"6ed710c8954661b4c39011da84289cdfb27e0a601b8090b32c44fa48da7aad06"}}
`

const type = 'application/x-ndjson'

export const archiveRoutes: FeatureRoutes<'archives'> = {
  exportBase: {
    ...get('/base/{baseId}/export', { answersText: type }),
    purpose:
      'Answers a base as an archive: its tables with fields, views, records, links and files, in the order of its tree. `POST /base/import` makes a base of it, here or elsewhere.',
    example: { baseId: '{otherBaseId}' },
  },
  importBase: {
    ...post('/base/import', 200, { fileMember: 'content', fileType: type }),
    isVersioned: true,
    purpose:
      'Makes a base of an archive, under ids of its own. It is there when all of the archive has come and is right; until then nobody sees any of it.',
    example: { spaceId: '{spaceId}', content: emptyArchive },
  },
}
