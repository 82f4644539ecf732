export {
  acceptTerms,
  admitPaid,
  type ClientRecord,
  changeClient,
  countClients,
  createClient,
  decideClient,
  deleteClient,
  findClient,
  listClients,
  listClientsOf,
  setLimit,
  stateOf,
  suspendClient,
} from './clients.ts';
export {
  approveHandover,
  findHandover,
  listHandovers,
  rejectHandover,
  requestHandover,
  withdrawHandover,
} from './handovers.ts';
export { type DueProof, findProofs, listDoubtful, noteAnswer, noteProven, takeDueProof } from './proofs.ts';
export {
  acceptRequest,
  approveRequest,
  createRequest,
  findRequest,
  listInvitations,
  listRejections,
  listRequests,
  listReviews,
  noteProof,
  type Request,
  rejectRequest,
  withdrawRequest,
} from './requests.ts';
export { searchAudit, searchClients } from './search.ts';
