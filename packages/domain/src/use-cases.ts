import { createToken } from './access-tokens/create-token.ts'
import { deleteToken } from './access-tokens/delete-token.ts'
import { getToken } from './access-tokens/get-token.ts'
import { listTokens } from './access-tokens/list-tokens.ts'
import { refreshToken } from './access-tokens/refresh-token.ts'
import { updateToken } from './access-tokens/update-token.ts'
import { changeName } from './accounts/change-name.ts'
import { changePassword } from './accounts/change-password.ts'
import { createInviteCode } from './accounts/create-invite-code.ts'
import { getMe } from './accounts/get-me.ts'
import { getUser } from './accounts/get-user.ts'
import { listSessions } from './accounts/list-sessions.ts'
import { revokeSession } from './accounts/revoke-session.ts'
import { sendSignUpCode } from './accounts/send-sign-up-code.ts'
import { signIn } from './accounts/sign-in.ts'
import { signOut } from './accounts/sign-out.ts'
import { signUp } from './accounts/sign-up.ts'
import { createBase } from './bases/create-base.ts'
import { deleteBase, deleteBasePermanently } from './bases/delete-base.ts'
import { getBase } from './bases/get-base.ts'
import { getBasePermissions } from './bases/get-base-permissions.ts'
import { listAllBases } from './bases/list-all-bases.ts'
import { listBases } from './bases/list-bases.ts'
import { moveBase } from './bases/move-base.ts'
import { updateBase } from './bases/update-base.ts'
import { verifyBase } from './bases/verify-base.ts'
import { acceptInvitation } from './collaborators/accept-invitation.ts'
import { addBaseCollaborators, addSpaceCollaborators } from './collaborators/add-collaborators.ts'
import {
  changeBaseCollaborator,
  changeSpaceCollaborator,
} from './collaborators/change-collaborator.ts'
import { inviteToBase, inviteToSpace } from './collaborators/invite-by-email.ts'
import {
  listBaseCollaborators,
  listSpaceCollaborators,
} from './collaborators/list-collaborators.ts'
import { listBaseInvitations, listSpaceInvitations } from './collaborators/list-invitations.ts'
import {
  removeBaseCollaborator,
  removeSpaceCollaborator,
} from './collaborators/remove-collaborator.ts'
import {
  withdrawBaseInvitation,
  withdrawSpaceInvitation,
} from './collaborators/withdraw-invitation.ts'
import { convertField } from './fields/conversion/convert-field.ts'
import { createField } from './fields/create-field.ts'
import { deleteField } from './fields/delete-field.ts'
import { deleteFields } from './fields/delete-fields.ts'
import { duplicateField } from './fields/duplicate-field.ts'
import { getDeleteReferences } from './fields/get-delete-references.ts'
import { getField } from './fields/get-field.ts'
import { listFields } from './fields/list-fields.ts'
import { planConversion } from './fields/plans/plan-conversion.ts'
import { planCreation } from './fields/plans/plan-creation.ts'
import { planDeletion } from './fields/plans/plan-deletion.ts'
import { updateField } from './fields/update-field.ts'
import { createRecords } from './records/create-records.ts'
import { deleteRecord } from './records/delete-record.ts'
import { deleteRecords } from './records/delete-records.ts'
import { getRecord } from './records/get-record.ts'
import { listRecords } from './records/list-records.ts'
import { updateRecord } from './records/update-record.ts'
import { updateRecords } from './records/update-records.ts'
import { createSpace } from './spaces/create-space.ts'
import { deleteSpace, deleteSpacePermanently } from './spaces/delete-space.ts'
import { getSpace } from './spaces/get-space.ts'
import { listSpaces } from './spaces/list-spaces.ts'
import { renameSpace } from './spaces/rename-space.ts'
import { createTable } from './tables/create-table.ts'
import { deleteTable } from './tables/delete-table.ts'
import { deleteTablePermanently } from './tables/delete-table-permanently.ts'
import { describeTable } from './tables/describe-table.ts'
import { getDefaultView } from './tables/get-default-view.ts'
import { getTable } from './tables/get-table.ts'
import { listTables } from './tables/list-tables.ts'
import { moveTable } from './tables/move-table.ts'
import { renameTable } from './tables/rename-table.ts'
import { setTableIcon } from './tables/set-table-icon.ts'
import { createFolder } from './tree/create-folder.ts'
import { createNode } from './tree/create-node.ts'
import { deleteFolder } from './tree/delete-folder.ts'
import { deleteNode, deleteNodePermanently } from './tree/delete-node.ts'
import { duplicateNode } from './tree/duplicate-node.ts'
import { getNode } from './tree/get-node.ts'
import { getTree } from './tree/get-tree.ts'
import { listNodes } from './tree/list-nodes.ts'
import { moveNode } from './tree/move-node.ts'
import { renameFolder } from './tree/rename-folder.ts'
import { updateNode } from './tree/update-node.ts'
import type { UseCase } from './use-case.ts'
import { getView } from './views/get-view.ts'
import { listViews } from './views/list-views.ts'

/** Every use case of the product, by feature and name. Each surface is made from this table. */
export const useCases = {
  accounts: {
    signUp,
    sendSignUpCode,
    createInviteCode,
    signIn,
    signOut,
    getMe,
    getUser,
    changeName,
    changePassword,
    listSessions,
    revokeSession,
    acceptInvitation,
  },
  accessTokens: { createToken, listTokens, getToken, updateToken, refreshToken, deleteToken },
  spaces: { createSpace, listSpaces, getSpace, renameSpace, deleteSpace, deleteSpacePermanently },
  bases: {
    createBase,
    listBases,
    listAllBases,
    getBase,
    updateBase,
    moveBase,
    deleteBase,
    deleteBasePermanently,
    getBasePermissions,
    verifyBase,
  },
  collaborators: {
    listSpaceCollaborators,
    addSpaceCollaborators,
    inviteToSpace,
    inviteToBase,
    changeSpaceCollaborator,
    removeSpaceCollaborator,
    listBaseCollaborators,
    addBaseCollaborators,
    changeBaseCollaborator,
    removeBaseCollaborator,
    listSpaceInvitations,
    withdrawSpaceInvitation,
    listBaseInvitations,
    withdrawBaseInvitation,
  },
  tree: {
    createNode,
    getNode,
    listNodes,
    getTree,
    updateNode,
    moveNode,
    duplicateNode,
    deleteNode,
    deleteNodePermanently,
    createFolder,
    renameFolder,
    deleteFolder,
  },
  tables: {
    createTable,
    listTables,
    getTable,
    getDefaultView,
    renameTable,
    describeTable,
    setTableIcon,
    moveTable,
    deleteTable,
    deleteTablePermanently,
  },
  fields: {
    createField,
    listFields,
    getDeleteReferences,
    getField,
    updateField,
    convertField,
    duplicateField,
    deleteField,
    deleteFields,
    planCreation,
    planConversion,
    planDeletion,
  },
  records: {
    createRecords,
    listRecords,
    getRecord,
    updateRecord,
    updateRecords,
    deleteRecord,
    deleteRecords,
  },
  views: { listViews, getView },
} as const satisfies Record<string, Record<string, UseCase>>

export type UseCases = typeof useCases
