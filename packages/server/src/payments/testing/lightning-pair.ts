import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as ldk from 'lightningdevkit';

/*
 * Two Lightning nodes (LDK) in this process with a channel between them. They exchange messages by function calls
 * instead of a socket, and the test creates the blocks.
 */

export interface LightningPair {
  /**
   * Returns an invoice of the shop's node. The result includes the preimage, which the receiver knows before anybody
   * pays.
   */
  invoice(amountMsat: number, description: string, expirySeconds: number): PairInvoice;
  /** Makes the other node pay an invoice. @returns the preimage, or undefined if the payment failed */
  pay(bolt11: string): string | undefined;
  /** Returns the payment hash of an invoice, or undefined if the nodes do not accept the invoice or its signature. */
  read(bolt11: string): string | undefined;
  /** Calls back for each payment that the shop receives. */
  onPaid(paid: (paymentHash: string, preimage: string) => void): void;
}

export interface PairInvoice {
  bolt11: string;
  paymentHash: string;
  preimage: string;
}

const SATS = 1_000_000n;
const MAX_TURNS = 60;

interface Node {
  manager: ldk.ChannelManager;
  peers: ldk.PeerManager;
  monitor: ldk.ChainMonitor;
  id: Uint8Array;
  heard: ((event: ldk.Event) => void)[];
}

let initialised: Promise<unknown> | undefined;
/** Objects that the library still uses. The list prevents JavaScript from freeing them. */
const kept: unknown[] = [];

export async function startLightningPair(): Promise<LightningPair> {
  const wasm = createRequire(import.meta.url).resolve('lightningdevkit/liblightningjs.wasm');
  initialised ??= ldk.initializeWasmFromBinary(readFileSync(wasm));
  await initialised;
  const [payer, shop] = [startNode(), startNode()];
  const exchange = connect(payer, shop);
  openChannel(payer, shop, exchange);
  return {
    invoice: (amountMsat, description, expirySeconds) => makeInvoice(shop, { amountMsat, description, expirySeconds }),
    pay: (bolt11) => pay(payer, bolt11, exchange),
    read(bolt11) {
      const read = ldk.Bolt11Invoice.constructor_from_str(bolt11);
      if (!(read instanceof ldk.Result_Bolt11InvoiceParseOrSemanticErrorZ_OK)) return undefined;
      return toHex(read.res.payment_hash());
    },
    onPaid: (paid) => {
      shop.heard.push((event) => {
        if (!(event instanceof ldk.Event_PaymentClaimed)) return;
        const { payment_preimage: preimage } = event.purpose as ldk.PaymentPurpose_Bolt11InvoicePayment;
        if (preimage instanceof ldk.Option_ThirtyTwoBytesZ_Some) paid(toHex(event.payment_hash), toHex(preimage.some));
      });
    },
  };
}

function startNode(): Node {
  const network = ldk.Network.LDKNetwork_Regtest;
  const now = Math.floor(Date.now() / 1000);
  const fee = ldk.FeeEstimator.new_impl({ get_est_sat_per_1000_weight: () => 253 });
  const broadcaster = ldk.BroadcasterInterface.new_impl({ broadcast_transactions: () => {} });
  const logger = ldk.Logger.new_impl({ log: () => {} });
  const persist = ldk.Persist.new_impl({
    persist_new_channel: () => ldk.ChannelMonitorUpdateStatus.LDKChannelMonitorUpdateStatus_Completed,
    update_persisted_channel: () => ldk.ChannelMonitorUpdateStatus.LDKChannelMonitorUpdateStatus_Completed,
    archive_persisted_channel: () => {},
  });
  const noFilter = ldk.Option_FilterZ.constructor_none();
  const monitor = ldk.ChainMonitor.constructor_new(noFilter, broadcaster, logger, fee, persist);
  const keys = ldk.KeysManager.constructor_new(randomBytes(32), BigInt(now), 42);
  const graph = ldk.NetworkGraph.constructor_new(network, logger);
  const decay = ldk.ProbabilisticScoringDecayParameters.constructor_default();
  const scorer = ldk.ProbabilisticScorer.constructor_new(decay, graph, logger);
  const score = ldk.MultiThreadedLockableScore.constructor_new(scorer.as_Score());
  const feeParameters = ldk.ProbabilisticScoringFeeParameters.constructor_default();
  const entropy = keys.as_EntropySource();
  const router = ldk.DefaultRouter.constructor_new(graph, logger, entropy, score.as_LockableScore(), feeParameters);
  const messages = ldk.DefaultMessageRouter.constructor_new(graph, entropy);
  const config = ldk.UserConfig.constructor_default();
  const chain = ldk.ChainParameters.constructor_new(network, ldk.BestBlock.constructor_from_network(network));
  const [signer, provider] = [keys.as_NodeSigner(), keys.as_SignerProvider()];
  // biome-ignore format: the order of the library's parameters
  const manager = ldk.ChannelManager.constructor_new(
    fee, monitor.as_Watch(), broadcaster, router.as_Router(), messages.as_MessageRouter(), logger, entropy, signer,
    provider, config, chain, now,
  );
  const ignoring = ldk.IgnoringMessageHandler.constructor_new();
  // biome-ignore format: the order of the library's parameters
  const peers = ldk.PeerManager.constructor_new(
    manager.as_ChannelMessageHandler(), ignoring.as_RoutingMessageHandler(), ignoring.as_OnionMessageHandler(),
    ignoring.as_CustomMessageHandler(), 1, entropy.get_secure_random_bytes(), logger, signer,
  );
  kept.push(fee, broadcaster, logger, persist, monitor, keys, graph, scorer, score, router, messages, config, ignoring);
  return { manager, peers, monitor, id: manager.get_our_node_id(), heard: [] };
}

/** @returns a function that lets both nodes exchange messages until both have nothing left to do */
function connect(payer: Node, shop: Node): () => void {
  const waiting: { to: Node; through: ldk.SocketDescriptor; bytes: Uint8Array }[] = [];
  const socket = (hash: bigint, to: () => { node: Node; through: ldk.SocketDescriptor }): ldk.SocketDescriptor =>
    ldk.SocketDescriptor.new_impl({
      send_data: (bytes) => {
        const { node, through } = to();
        waiting.push({ to: node, through, bytes: Uint8Array.from(bytes) });
        return bytes.length;
      },
      disconnect_socket: () => {},
      eq: (other) => other.hash() === hash,
      hash: () => hash,
    });
  const outward: ldk.SocketDescriptor = socket(1n, () => ({ node: shop, through: inward }));
  const inward: ldk.SocketDescriptor = socket(2n, () => ({ node: payer, through: outward }));
  const nowhere = ldk.Option_SocketAddressZ.constructor_none();
  shop.peers.new_inbound_connection(inward, nowhere);
  const first = payer.peers.new_outbound_connection(
    shop.id,
    outward,
    nowhere,
  ) as ldk.Result_CVec_u8ZPeerHandleErrorZ_OK;
  shop.peers.read_event(inward, first.res);
  return () => {
    for (let turn = 0, busy = true; busy && turn < MAX_TURNS; turn++) {
      for (const { peers } of [payer, shop]) peers.process_events();
      busy = waiting.length > 0;
      for (const { to, through, bytes } of waiting.splice(0)) to.peers.read_event(through, bytes);
      for (const node of [payer, shop]) busy = act(node) || busy;
    }
  };
}

/** @returns whether there was anything to handle */
function act(node: Node): boolean {
  const events: ldk.Event[] = [];
  const handler = ldk.EventHandler.new_impl({
    handle_event: (event) => {
      events.push(event);
      return ldk.Result_NoneReplayEventZ.constructor_ok();
    },
  });
  node.manager.as_EventsProvider().process_pending_events(handler);
  for (const event of events) {
    if (event instanceof ldk.Event_PendingHTLCsForwardable) node.manager.process_pending_htlc_forwards();
    if (event instanceof ldk.Event_PaymentClaimable) {
      const { payment_preimage: preimage } = event.purpose as ldk.PaymentPurpose_Bolt11InvoicePayment;
      node.manager.claim_funds((preimage as ldk.Option_ThirtyTwoBytesZ_Some).some);
    }
    for (const heard of node.heard) heard(event);
  }
  return events.length > 0;
}

function openChannel(payer: Node, shop: Node, exchange: () => void): void {
  let funding: ldk.Event_FundingGenerationReady | undefined;
  payer.heard.push((event) => {
    if (event instanceof ldk.Event_FundingGenerationReady) funding = event;
  });
  exchange();
  // biome-ignore lint/suspicious/noExplicitAny: the library's types do not allow omitting it
  const usual = [null, null] as [any, any];
  if (!payer.manager.create_channel(shop.id, SATS, 0n, 1n, ...usual).is_ok()) throw new Error('no channel');
  exchange();
  const { temporary_channel_id: id, counterparty_node_id: other, output_script: script } = funding!;
  const transaction = fundingTransaction(script, funding!.channel_value_satoshis);
  if (!payer.manager.funding_transaction_generated(id, other, transaction).is_ok()) throw new Error('no funding');
  exchange();
  mine([payer, shop], transaction);
  exchange();
  if (payer.manager.list_usable_channels().length !== 1) throw new Error('the channel is not usable');
}

/** Returns a transaction with one invented input and one output. The nodes do not check the transaction. */
function fundingTransaction(script: Uint8Array, sats: bigint): Uint8Array {
  const amount = Buffer.alloc(8);
  amount.writeBigUInt64LE(sats);
  const header = [2, 0, 0, 0, 0, 1, 1];
  const input = [...randomBytes(32), 0, 0, 0, 0, 0, 255, 255, 255, 255];
  const output = [1, ...amount, script.length, ...script];
  const witness = [1, 1, 255];
  return Uint8Array.from([...header, ...input, ...output, ...witness, 0, 0, 0, 0]);
}

/** Creates seven blocks. The first block contains the transaction. */
function mine(nodes: readonly Node[], transaction: Uint8Array): void {
  for (let height = 1; height <= 7; height++) {
    const header = randomBytes(80);
    // The nodes take the time from block headers.
    header.writeUInt32LE(Math.floor(Date.now() / 1000), 68);
    const confirmed = height === 1 ? [ldk.TwoTuple_usizeTransactionZ.constructor_new(1, transaction)] : [];
    for (const { monitor, manager } of nodes) {
      for (const confirm of [monitor.as_Confirm(), manager.as_Confirm()]) {
        if (confirmed.length > 0) confirm.transactions_confirmed(header, confirmed, height);
        confirm.best_block_updated(header, height);
      }
    }
  }
}

interface Wanted {
  amountMsat: number;
  description: string;
  expirySeconds: number;
}

function makeInvoice(shop: Node, { amountMsat, description, expirySeconds }: Wanted): PairInvoice {
  const text = ldk.Description.constructor_new(description) as ldk.Result_DescriptionCreationErrorZ_OK;
  const made = shop.manager.create_bolt11_invoice(
    ldk.Option_u64Z.constructor_some(BigInt(amountMsat)),
    ldk.Bolt11InvoiceDescription.constructor_direct(text.res),
    ldk.Option_u32Z.constructor_some(expirySeconds),
    ldk.Option_u16Z.constructor_none(),
    ldk.Option_ThirtyTwoBytesZ.constructor_none(),
  );
  if (!(made instanceof ldk.Result_Bolt11InvoiceSignOrCreationErrorZ_OK)) throw new Error('no invoice');
  const hash = made.res.payment_hash();
  const preimage = shop.manager.get_payment_preimage(hash, made.res.payment_secret());
  if (!(preimage instanceof ldk.Result_ThirtyTwoBytesAPIErrorZ_OK)) throw new Error('no preimage');
  return { bolt11: made.res.to_str(), paymentHash: toHex(hash), preimage: toHex(preimage.res) };
}

function pay(payer: Node, bolt11: string, exchange: () => void): string | undefined {
  const invoice = ldk.Bolt11Invoice.constructor_from_str(bolt11) as ldk.Result_Bolt11InvoiceParseOrSemanticErrorZ_OK;
  const parameters = ldk.UtilMethods.constructor_payment_parameters_from_invoice(invoice.res);
  if (!parameters.is_ok()) throw new Error('the invoice cannot be paid');
  const { res } = parameters as ldk.Result_C3Tuple_ThirtyTwoBytesRecipientOnionFieldsRouteParametersZNoneZ_OK;
  const hash = res.get_a();
  let preimage: string | undefined;
  const heard = (event: ldk.Event): void => {
    if (event instanceof ldk.Event_PaymentSent) preimage = toHex(event.payment_preimage);
  };
  payer.heard.push(heard);
  const once = ldk.Retry.constructor_attempts(1);
  payer.manager.send_payment(hash, res.get_b(), hash, res.get_c(), once);
  exchange();
  payer.heard.splice(payer.heard.indexOf(heard), 1);
  return preimage;
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
