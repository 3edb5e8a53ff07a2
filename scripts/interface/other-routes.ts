/** Routes that programs may know from elsewhere, and what they find here instead. */
export interface OtherRoutes {
  readonly routes: readonly `${string} /${string}`[]
  /** Why they are not here, or where the same is found. */
  readonly instead: string
}

/** Routes that are here and take something else than programs may send, which are refused with a sentence that says what is missing. */
export const otherInputs: readonly OtherRoutes[] = [
  {
    routes: ['POST /import/{baseId}', 'PATCH /import/{baseId}/{tableId}', 'POST /base/import'],
    instead:
      'The file is the body of the request, all else is in the query ([CSV](csv.md#imports), [archives](archives.md#import)): no file is fetched by its address, and no form is read.',
  },
  {
    routes: ['GET /space/authentication/providers'],
    instead:
      'It takes the `spaceId` whose login page it is for: nobody lists the providers of all spaces.',
  },
  {
    routes: ['POST /attachments/signature'],
    instead:
      'It takes the `baseId` in which the file is used, and `type` 1, the cell of a table, alone ([attachments](attachments.md)).',
  },
  {
    routes: ['GET /share/{shareId}/view/collaborators'],
    instead: 'It takes the `fieldId` whose people are listed.',
  },
  {
    routes: ['DELETE /auth/user'],
    instead:
      'It takes the `password` of the account in its body, if the account has one: it can never be undone ([people](people.md#accounts)).',
  },
  {
    routes: [
      'GET /table/{tableId}/record',
      'GET /table/{tableId}/record/{recordId}/status',
      'GET /table/{tableId}/aggregation',
      'GET /table/{tableId}/aggregation/row-count',
      'GET /table/{tableId}/aggregation/record-index',
      'GET /table/{tableId}/aggregation/search-index',
      'GET /table/{tableId}/selection/range-to-id',
      'GET /table/{tableId}/selection/copy',
      'PATCH /table/{tableId}/selection/paste',
      'PATCH /table/{tableId}/selection/clear',
      'DELETE /table/{tableId}/selection/delete',
      'GET /comment/{tableId}/count',
    ],
    instead:
      'They take no `filterByTql` and no `queryId`: there is one language of filters, `filter` ([filters](queries.md#filters)), and no query is kept.',
  },
  {
    routes: [
      'GET /share/{shareId}/view/records',
      'GET /share/{shareId}/view/row-count',
      'GET /share/{shareId}/view/aggregations',
      'GET /share/{shareId}/view/copy',
      'GET /share/{shareId}/view/search-index',
    ],
    instead:
      'They take neither of these, nor `filterLinkCellCandidate` and `filterLinkCellSelected`, nor `ignoreViewQuery=true`: visitors see what the view shows.',
  },
  {
    routes: [
      'GET /share/{shareId}/view/group-points',
      'GET /share/{shareId}/view/search-count',
      'GET /share/{shareId}/view/calendar-daily-collection',
    ],
    instead: 'They take no `ignoreViewQuery=true`: visitors see what the view shows.',
  },
  {
    routes: ['GET /share/{shareId}/view/link-records', 'GET /share/{shareId}/view/collaborators'],
    instead: 'They take no `type`: the field says which records and people there are.',
  },
  {
    routes: ['POST /share/{shareId}/view/form-submit'],
    instead:
      'It takes no `typecast`, and no files: visitors make no choices, and look for nobody by name ([sharing](sharing.md)).',
  },
  {
    routes: ['GET /space/{spaceId}/collaborators', 'GET /base/{baseId}/collaborators/users'],
    instead:
      'They take no `orderBy`, and that of a space no `includeBase`: the people of a base are listed by the base.',
  },
  {
    routes: ['POST /base/duplicate'],
    instead: 'It takes no `baseId` to copy into and no `shareId`: a copy is a base of its own.',
  },
  {
    routes: ['POST /table/{tableId}/view'],
    instead:
      'It takes no `shareId`, `enableShare` and `shareMeta`: a view is shared once it is made ([sharing](sharing.md)).',
  },
  {
    routes: ['POST /table/{tableId}/field', 'PUT /table/{tableId}/field/{fieldId}/convert'],
    instead:
      'They take no `type` `conditionalRollup` and no `isConditionalLookup`: lookups and rollups read through a link, and a `filter` chooses among the linked records ([fields](fields.md#lookups)).',
  },
  {
    routes: [
      'GET /base/{baseId}/query',
      'GET /plugin/chart/{pluginInstallId}/dashboard/{positionId}/query',
      'GET /plugin/chart/{pluginInstallId}/plugin-panel/{positionId}/query',
    ],
    instead:
      'The `from` of the query, be it sent or saved, is the id of a table: a query is not nested in another one ([charts](charts.md)).',
  },
  {
    routes: ['POST /plugin'],
    instead:
      'It takes no `autoCreateMember`: plugins have no user of their own ([plugins](plugins.md)).',
  },
  {
    routes: [
      'POST /comment/{tableId}/{recordId}/create',
      'PATCH /comment/{tableId}/{recordId}/{commentId}',
    ],
    instead: 'Their `content` has paragraphs: there are no pictures in comments yet.',
  },
]

/** Routes that are here and answer something else than programs may expect, and why. Members that are answered in addition are no such thing. */
export const otherAnswers: readonly OtherRoutes[] = [
  {
    routes: ['POST /import/{baseId}', 'PATCH /import/{baseId}/{tableId}'],
    instead:
      'They answer the import, by whose `id` a program asks how far it is, since long files are imported in the background. The table that was made is its `table`.',
  },
  {
    routes: ['POST /table/{tableId}/record/{recordId}/{fieldId}/button-click'],
    instead:
      'It answers no `runId`: no workflow is run yet ([workflows](workflows.md)), so a press has no run.',
  },
  {
    routes: ['DELETE /auth/user'],
    instead:
      'Spaces that nobody else is in are no hindrance: they are removed for good with the account. It is refused, with `data.spaces`, for those that others are in and that have no other owner ([people](people.md#accounts)).',
  },
  {
    routes: [
      'POST /table/{tableId}/field',
      'GET /table/{tableId}/field',
      'GET /table/{tableId}/field/{fieldId}',
      'PUT /table/{tableId}/field/{fieldId}/convert',
    ],
    instead:
      'The `workflow` of a button has its `id` alone: its name, and whether it is active, would be those of the time when the field was made.',
  },
  {
    routes: ['GET /share/{shareId}/view/collaborators'],
    instead: 'It answers no `email`: a share shows names and pictures.',
  },
  {
    routes: ['GET /base/{baseId}/workflow/{workflowId}/active-snapshot'],
    instead:
      'Its `activeUser` has no `email` for who may not see addresses, and neither `email` nor `avatar` once the account was deleted.',
  },
  {
    routes: ['GET /base/shared-base'],
    instead: 'It answers no `spaceName`: whoever was given a base alone does not see its space.',
  },
  {
    routes: ['GET /space/authentication/providers'],
    instead:
      'It leaves out entries of the type `feishu`: they are stored, but nobody signs in by them yet ([login providers](people.md#login-providers)).',
  },
  {
    routes: ['POST /space/{spaceId}/authentication'],
    instead: 'It gives the entry an id of its own, whatever `id` is sent.',
  },
  {
    routes: ['GET /base/{baseId}/export'],
    instead:
      'It answers an archive of a form of its own, and owners alone, since the trash and the history may be in it ([archives](archives.md#export)).',
  },
  {
    routes: [
      'PATCH /space/{spaceId}/invitation/link/{invitationId}',
      'PATCH /base/{baseId}/invitation/link/{invitationId}',
    ],
    instead:
      'The link has another `invitationCode` and `inviteUrl` then, which are answered with it: else those to whom a weak role was passed on would come in with the strong one ([people](people.md#invitation-links)).',
  },
]

/** The routes that programs know from services with an interface like this one and don't find here. */
export const otherRoutes: readonly OtherRoutes[] = [
  {
    instead:
      'There are no notifications yet, so there is nothing that following a record would do.',
    routes: [
      'POST GET DELETE /comment/{tableId}/{recordId}/subscribe',
      'GET /notifications',
      'PATCH /notifications/{notificationId}/status',
      'PATCH /notifications/read-all',
      'GET /notifications/unread-count',
    ],
  },
  {
    instead:
      'The `accessToken` that signing in answers is such a token; a program gets one of its own by `POST /access-token`.',
    routes: ['GET /auth/temp-token'],
  },
  {
    instead:
      'Nobody waits for a place: the operator closes sign-up, or opens it to those who have a code ([people](people.md#accounts)).',
    routes: ['POST /auth/join-waitlist'],
  },
  {
    instead:
      'Domains of addresses are proven to nobody: a login provider leads into no account by an address ([login](login.md#who-is-who)).',
    routes: [
      'GET POST DELETE /space/{spaceId}/domain-verification',
      'POST /space/{spaceId}/domain-verification/send-verification-email',
    ],
  },
  {
    instead:
      'There are no organizations: each space has login providers of its own, at `/space/{spaceId}/authentication`.',
    routes: [
      'GET POST /enterprise/{organizationId}/authentication',
      'GET PUT DELETE /enterprise/{organizationId}/authentication/{id}',
    ],
  },
  {
    instead: 'No model is called, so there is nothing to set or fill.',
    routes: [
      'GET POST /space/{spaceId}/integration',
      'POST /table/{tableId}/field/{fieldId}/auto-fill',
      'POST /table/{tableId}/field/{fieldId}/stop-fill',
      'POST /table/{tableId}/record/{recordId}/{fieldId}/auto-fill',
    ],
  },
  {
    instead:
      'There are no templates: `POST /base/duplicate` copies any base that its caller may read.',
    routes: ['POST /base/create-from-template'],
  },
  {
    instead:
      'Nobody but the service has SQL or a connection to its storage: `GET /base/{baseId}/query` joins, groups and counts ([charts](charts.md)).',
    routes: ['POST /base/{baseId}/sql-query', 'GET POST DELETE /base/{baseId}/connection'],
  },
  {
    instead:
      'Records are answered with URLs of their files that are signed already ([attachments](attachments.md)).',
    routes: ['POST /base/{baseId}/sign-attachment-urls'],
  },
  {
    instead:
      'The URLs that records have lead to `GET /attachments/read/{path}`: a token alone opens nothing.',
    routes: ['GET /attachments/{token}'],
  },
  {
    instead:
      'The name of a table in the storage is chosen when it is made (`dbTableName`), and stays: what reads the database by it would find nothing.',
    routes: ['PUT /base/{baseId}/table/{tableId}/db-table-name'],
  },
  {
    instead:
      'No workflow is run yet ([workflows](workflows.md)), and buttons and webhooks are what start one.',
    routes: [
      'POST /automation/webhook/{id}',
      'GET /base/{baseId}/workflow/{workflowId}/run',
      'GET /base/{baseId}/workflow/{workflowId}/run/summary',
      'GET /base/{baseId}/workflow/{workflowId}/run/{runId}',
      'POST /base/{baseId}/workflow/{workflowId}/test/{nodeId}',
      'POST /base/{baseId}/workflow/{workflowId}/test-all',
    ],
  },
  {
    instead: "Whole bases can't be shared yet, views can ([sharing](sharing.md)).",
    routes: [
      'POST GET /base/{baseId}/share',
      'PATCH DELETE /base/{baseId}/share/{shareId}',
      'GET /share/{shareId}/base',
      'POST /share/{shareId}/base/auth',
      'POST /share/{shareId}/base/copy',
    ],
  },
  {
    instead: 'It is `POST /plugin/{pluginId}/token`: a secret in a URL would be written into logs.',
    routes: ['GET /plugin/{pluginId}/token'],
  },
  {
    instead: 'It is `POST /import/analyze`, with the file as its body.',
    routes: ['GET /import/analyze'],
  },
  {
    instead: 'It is beside the base URL: `GET /health`, without `/api`.',
    routes: ['GET /health'],
  },
]
