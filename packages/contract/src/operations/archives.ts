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
      'Exports a base as an archive: its tables with fields, views, records, links and files, in the order of its tree. `POST /base/import` makes a base of the archive, here or on another instance. With `includeHistory` it also says who changed which cell, with `includeTrash` it has the trash of the base and of its tables, from which all can be restored.',
    example: { baseId: '{otherBaseId}' },
  },
  importBase: {
    ...post('/base/import', 200, { fileMember: 'content', fileType: type }),
    isVersioned: true,
    purpose:
      'Creates a base from an archive, with new ids, or with the same ones where the administrator asks for it and nothing has them. It appears once the whole archive has arrived and was found right; until then nobody sees any of it.',
    example: { spaceId: '{spaceId}', content: emptyArchive },
  },
}
