use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::reply::{Read, read};
use super::{BATCH, Event, Exchange, Fault, Limits, Reply, Request, Transport, Watch};
use crate::console::{Token, redacted};
use crate::plural::console::{Answer, LookUp};
use crate::reconcile::{Console, Unavailable};

/// A Console that is asked over a transport.
pub struct Client<T> {
    transport: T,
    limits: Limits,
    /// What errors call it.
    shown: String,
    /// Where the token comes from.
    source: &'static str,
    token: Option<Token>,
    watch: Watch,
    exchanges: Mutex<Vec<(usize, Exchange)>>,
    keeps: bool,
    /// Whether anything has come back, and anything usable.
    replied: AtomicBool,
    reached: AtomicBool,
}

/// Pauses before a request is sent again. Look-ups change nothing, so that sending one twice does no harm.
const PAUSES: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(1)];
/// The longest pause that a `Retry-After` is obeyed for.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// What came of a batch.
enum Outcome {
    /// An answer for each look-up; `None` for those that have to be asked again singly, and why.
    Answered(Vec<Option<Answer>>, String),
    /// It was not sent, as nothing came of another request.
    Stopped,
    /// Nothing usable: all of it failed for this reason.
    Failed(String),
    /// Nothing came back at all, for this reason.
    Silent(String),
    /// The credentials are refused.
    Refused(String),
}

impl<T: Transport> Client<T> {
    /// A client; `keeps` says whether exchanges are kept for a recording.
    pub fn new(
        transport: T,
        limits: Limits,
        (shown, source): (&str, &'static str),
        token: Option<Token>,
        keeps: bool,
        watch: Watch,
    ) -> Client<T> {
        let exchanges = Mutex::new(Vec::new());
        Client {
            transport,
            limits,
            shown: shown.to_owned(),
            source,
            token,
            watch,
            exchanges,
            keeps,
            replied: AtomicBool::new(false),
            reached: AtomicBool::new(false),
        }
    }

    /// What carries the requests.
    #[cfg(test)]
    pub(super) fn transport(&self) -> &T {
        &self.transport
    }

    /// What was asked and answered so far, in the order of the requests.
    pub fn exchanges(&self) -> Vec<Exchange> {
        let mut all = self.exchanges.lock().map(|all| all.clone()).unwrap_or_default();
        all.sort_by_key(|(number, _)| *number);
        all.into_iter().map(|(_, exchange)| exchange).collect()
    }

    /// One request, as often as it takes.
    fn ask(&self, batch: &[&LookUp], number: usize, end: Instant, stop: &AtomicBool) -> Outcome {
        let request = Request::of(batch);
        let body = request.body();
        let mut pauses = PAUSES.into_iter();
        loop {
            if stop.load(Ordering::Relaxed) {
                return Outcome::Stopped;
            }
            let begun = Instant::now();
            let reply = self.transport.send(&body);
            self.keep(number, batch, &request, &reply);
            self.replied.fetch_or(reply.is_ok(), Ordering::Relaxed);
            let read = self.read(batch, &reply);
            let outcome = match &read {
                Read::Answered(..) => "answered".to_owned(),
                Read::Again(reason, _) | Read::Unread(reason) | Read::Failed(reason) | Read::Refused(reason) => {
                    reason.clone()
                }
            };
            (self.watch)(&Event::Asked { number, look_ups: batch.len(), outcome, took: begun.elapsed() });
            if matches!(read, Read::Answered(..)) {
                self.reached.store(true, Ordering::Relaxed);
            }
            match read {
                Read::Answered(answers, why) => return Outcome::Answered(answers, why),
                Read::Unread(reason) => return Outcome::Answered(vec![None; batch.len()], reason),
                Read::Failed(reason) => return Outcome::Failed(reason),
                Read::Refused(reason) => return Outcome::Refused(reason),
                Read::Again(reason, wanted) => {
                    let Some(pause) = pauses.next() else { return self.given_up(batch, &reply, reason) };
                    let pause = wanted.unwrap_or(pause);
                    if pause > LONGEST_PAUSE || Instant::now() + pause > end {
                        return Outcome::Failed(format!("{reason}, and no time is left to ask again"));
                    }
                    (self.watch)(&Event::Again { number, reason, pause });
                    std::thread::sleep(pause);
                }
            }
        }
    }

    /// What becomes of a batch after the last attempt: what came back damaged may be damaged by one of it.
    fn given_up(&self, batch: &[&LookUp], reply: &Result<Reply, Fault>, reason: String) -> Outcome {
        match reply {
            Ok(reply) if reply.status == 200 && batch.len() > 1 => Outcome::Answered(vec![None; batch.len()], reason),
            Ok(_) => Outcome::Failed(reason),
            Err(_) => Outcome::Silent(reason),
        }
    }

    fn keep(&self, number: usize, batch: &[&LookUp], request: &Request, reply: &Result<Reply, Fault>) {
        if !self.keeps {
            return;
        }
        let look_ups = batch.iter().map(|look_up| (*look_up).clone()).collect();
        let exchange = Exchange { look_ups, request: request.clone(), reply: reply.clone() };
        if let Ok(mut all) = self.exchanges.lock() {
            all.push((number, exchange));
        }
    }

    fn read(&self, batch: &[&LookUp], reply: &Result<Reply, Fault>) -> Read {
        let token = self.token.as_ref();
        let reply = match reply {
            Ok(reply) => reply,
            Err(fault) => return Read::Again(redacted(&fault.message, token), None),
        };
        read(batch, reply, token)
    }

    /// Asks batches, a few at a time. The answers come in the order of the batches.
    fn ask_all(
        &self,
        batches: Vec<Vec<usize>>,
        look_ups: &[LookUp],
        before: usize,
        end: Instant,
    ) -> Result<Vec<(Vec<usize>, Outcome)>, Unavailable> {
        let stop = AtomicBool::new(false);
        let threads = self.limits.concurrency.clamp(1, batches.len().max(1));
        let queue = Mutex::new(batches.into_iter().enumerate().collect::<VecDeque<_>>());
        let done: Mutex<Vec<(usize, Vec<usize>, Outcome)>> = Mutex::new(Vec::new());
        let work = || {
            while let Some((place, batch)) = queue.lock().ok().and_then(|mut queue| queue.pop_front()) {
                let asked: Vec<&LookUp> = batch.iter().map(|index| &look_ups[*index]).collect();
                let outcome = if Instant::now() > end {
                    Outcome::Failed("no time was left to ask".to_owned())
                } else {
                    self.ask(&asked, before + place + 1, end, &stop)
                };
                // Where nobody has answered yet, and one request got nothing three times, the others would get nothing, too.
                match outcome {
                    Outcome::Refused(_) => stop.store(true, Ordering::Relaxed),
                    Outcome::Silent(_) if !self.reached.load(Ordering::Relaxed) => stop.store(true, Ordering::Relaxed),
                    _ => {}
                }
                if let Ok(mut done) = done.lock() {
                    done.push((place, batch, outcome));
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
        let mut done = done.into_inner().unwrap_or_default();
        done.sort_by_key(|(place, ..)| *place);
        if let Some(reason) = done.iter().find_map(|(_, _, outcome)| match outcome {
            Outcome::Refused(reason) => Some(reason),
            _ => None,
        }) {
            return Err(Unavailable(format!(
                "the Console at {} refuses the credentials ({reason}): the token comes from {}",
                self.shown, self.source
            )));
        }
        Ok(done.into_iter().map(|(_, batch, outcome)| (batch, outcome)).collect())
    }
}

impl<T: Transport> Console for Client<T> {
    fn look_up(&self, look_ups: &[LookUp]) -> Result<Vec<Answer>, Unavailable> {
        let end = Instant::now() + self.limits.budget;
        let indices: Vec<usize> = (0..look_ups.len()).collect();
        let batches: Vec<Vec<usize>> = indices.chunks(BATCH).map(<[usize]>::to_vec).collect();
        let mut answers: Vec<Option<Answer>> = vec![None; look_ups.len()];
        let mut again: Vec<Vec<usize>> = Vec::new();
        let mut cause = String::new();
        let mut settle = |asked: Vec<(Vec<usize>, Outcome)>, again: &mut Vec<Vec<usize>>| {
            for (batch, outcome) in asked {
                let reason = match outcome {
                    Outcome::Answered(found, why) => {
                        let is_alone = batch.len() == 1;
                        for (index, answer) in batch.into_iter().zip(found) {
                            match answer {
                                None if !is_alone => again.push(vec![index]),
                                None => answers[index] = Some(Answer::Failed(why.clone())),
                                answer => answers[index] = answer,
                            }
                        }
                        continue;
                    }
                    Outcome::Stopped => "nothing came of another request".to_owned(),
                    Outcome::Failed(reason) | Outcome::Silent(reason) | Outcome::Refused(reason) => {
                        // The first says the most.
                        if cause.is_empty() {
                            cause.clone_from(&reason);
                        }
                        reason
                    }
                };
                for index in batch {
                    answers[index] = Some(Answer::Failed(reason.clone()));
                }
            }
        };
        let first = batches.len();
        settle(self.ask_all(batches, look_ups, 0, end)?, &mut again);
        let singles = std::mem::take(&mut again);
        settle(self.ask_all(singles, look_ups, first, end)?, &mut again);
        if !self.reached.load(Ordering::Relaxed) && !look_ups.is_empty() {
            let is_there = self.replied.load(Ordering::Relaxed);
            let what = if is_there { "nothing usable comes from" } else { "cannot reach" };
            return Err(Unavailable(format!("{what} the Console at {}: {cause}", self.shown)));
        }
        let answered =
            |answer: Option<Answer>| answer.unwrap_or_else(|| Answer::Failed("it was not asked for".to_owned()));
        Ok(answers.into_iter().map(answered).collect())
    }
}
