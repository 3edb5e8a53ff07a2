/** Maxima of spaces, bases, nodes, tables and their members: a part of `limits`. */
export const workspaceLimits = {
  nodesPerBase: 5_000,
  /** Orders of nodes in the trash of a base, the last ones, that no other node of the base gets. */
  ordersInTrash: 10_000,
  /** The greatest order that a caller gives a node, and the least below 0: one more is another number by far. */
  nodeOrder: 1_000_000_000,
  tablesPerBase: 1_000,
  basesPerSpace: 1_000,
  /** Bases that one list over all spaces holds; more than a person can tell apart. */
  basesPerList: 10_000,
  /** Spaces that one user has created, and is in: those that others put them into take no room of these. */
  spacesPerUser: 1_000,
  /** Spaces of others that one user is in: nobody can fill their list without end. */
  spacesJoined: 1_000,
  /** Spaces that one list holds: all that one user may have created and be given, and such as came back from the trash. */
  spacesPerList: 3_000,
  /** Single bases that others give one user a role in: nobody can fill their list without end. */
  basesJoined: 1_000,
  collaboratorsPerResource: 1_000,
  /** Collaborators that one request may add. */
  collaboratorsPerRequest: 100,
  collaboratorsPerPage: 2_000,
  collaboratorsPerPageDefault: 100,
  /** Days that an invitation by mail waits: who doesn't read their mail for a week is asked again. */
  invitationDays: 7,
  /** Open invitations to a space or base: more than a team grows by in that time. */
  invitationsPerResource: 200,
  /** Invitations that one request mails, one after another: some seconds of a caller's time. */
  invitationMailsPerRequest: 20,
  /**
   * Invitations mailed by one user, from one network address, and to one e-mail address, in the hours that
   * they count for: a class can be invited, and nobody be buried in mail.
   */
  invitationMailsPerUser: 50,
  invitationMailsPerAddress: 200,
  invitationMailsPerEmail: 5,
  invitationMailHours: 24,
  /** Days that an invitation link is good for where nothing else is said, and at most: what is passed on shall end. */
  invitationLinkDays: 7,
  invitationLinkDaysMost: 90,
  /** Invitation links to a space or base at one time: one for each role and purpose. */
  invitationLinksPerResource: 20,
  /** Invitation links that one user tries to accept in the minutes that they count for; repetitions count, too. */
  invitationLinkTries: 30,
  invitationLinkMinutes: 60,
  /** Pins of one user: a list to choose from at a glance. */
  pinsPerUser: 100,
  /** Places and types of which it is kept what a user opened last there. */
  lastVisitsPerUser: 1_000,
  /** Times an invitation code may be used at most. */
  inviteCodeUses: 1_000,
  /** Characters of a catalogue of products, and what it has: it is answered whole. */
  catalogueLength: 1024 * 1024,
  productsPerCatalogue: 100,
  pricesPerProduct: 50,
  /** Spaces whose usage is remembered for some seconds, where their level limits it. */
  spacesEstimated: 20_000,
  /** Levels of folders below the root, where not configured. */
  folderDepth: 2,
} as const
