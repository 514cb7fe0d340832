"""Answers for the tests: the reference request, and anything at all for the properties."""

from collections.abc import Mapping

from hypothesis import strategies as st

from apps.questionnaire.answers import RawAnswer
from apps.questionnaire.question import UNKNOWN, Kind, Question
from apps.questionnaire.sections import QUESTIONS

# «Дообучаем Llama-3.1-8B адаптерами LoRA, длина и размер пакета лежат в файле настроек; данных
# 200 ГБ и нужен запас места под чекпойнты; берём в аренду на месяц; хотим увидеть измеренное время
# шага»; with a date and a budget, the rank unknown, a small rack of their own as the alternative.
REFERENCE: Mapping[str, RawAnswer] = {
    "purpose": RawAnswer("behaviour"),
    "weights_change": RawAnswer("yes"),
    "alternatives": RawAnswer("not-enough"),
    "evidence": RawAnswer("Готовая модель с поиском: 61 % верных ответов, нужно 85 %"),
    "business_task": RawAnswer(
        "Операторы поддержки получают черновик ответа в стиле компании, 400 обращений в день"
    ),
    "success_criterion": RawAnswer("Не меньше 85 % верных ответов на 200 отложенных вопросах"),
    "held_out_set": RawAnswer("yes"),
    "contact_name": RawAnswer("Анна Верещагина, ML-инженер"),
    "contact_email": RawAnswer("anna@ladoga.example"),
    "strategy": RawAnswer("finetune"),
    "method": RawAnswer("lora"),
    "stage": RawAnswer("sft"),
    "model_source": RawAnswer("published"),
    "model_name": RawAnswer("Llama-3.1-8B"),
    "model_kind": RawAnswer("decoder"),
    "params": RawAnswer("8,03 млрд"),
    "dataset_bytes": RawAnswer("200 ГБ"),
    "data_kind": RawAnswer("text"),
    "checkpoint_reserve": RawAnswer("yes"),
    "data_location": RawAnswer("local"),
    "target_time": RawAnswer("3 дня"),
    "time_scope": RawAnswer("run"),
    "deadline_hard": RawAnswer("no"),
    "parallel_runs": RawAnswer("1"),
    "use": RawAnswer("one-off"),
    "sharing": RawAnswer("team"),
    "framework": RawAnswer("trl"),
    "precision": RawAnswer("bf16-mixed"),
    "optimizer": RawAnswer("adamw"),
    "lora_rank": RawAnswer(unknown=True, who="Анна", when="4 декабря"),
    "lora_targets": RawAnswer("all-linear"),
    "sequence_length": RawAnswer("2048", provenance="file", note="train.yaml:14"),
    "micro_batch": RawAnswer("4", provenance="file", note="train.yaml:22"),
    "grad_accumulation": RawAnswer("8", provenance="file", note="train.yaml:23"),
    "activation_checkpointing": RawAnswer("full"),
    "epochs": RawAnswer("3"),
    "acquisition": RawAnswer("rent"),
    "rent_period": RawAnswer("1 месяц"),
    "own_rack": RawAnswer("yes"),
    "wanted_date": RawAnswer("15 декабря 2026"),
    "budget": RawAnswer("до 600 тыс. ₽ за месяц, с НДС"),
    "measured_step": RawAnswer("yes"),
    "power_known_as": RawAnswer("kilowatts"),
    "kw_usable": RawAnswer("5 кВт"),
    "feeds": RawAnswer("2"),
    "rack_units": RawAnswer("12U"),
}

_PLAUSIBLE = {
    Kind.BYTES: ["200 ГБ", "1,5 ТБ", "10 ТиБ", "1 байт"],
    Kind.HOURS: ["3 дня", "1 ч", "2 недели"],
    Kind.DATE: ["15.12.2026", "1 января 2020"],
    Kind.EMAIL: ["a@b.ru"],
    Kind.PERCENT: ["20 %", "100"],
}


def texts_for(question: Question) -> st.SearchStrategy[str]:
    """Something a person might answer, or might not."""
    likely = [o.value for o in question.options] or ["1", "2", "48", "8 192", "7 млрд", "900 000"]
    likely += ["yes", "no"] if question.kind is Kind.BOOLEAN else []
    likely = _PLAUSIBLE.get(question.kind, likely)
    return st.one_of(
        st.sampled_from(likely), st.sampled_from(likely), st.just(UNKNOWN), st.text(max_size=20)
    )


def raw_for(question: Question) -> st.SearchStrategy[RawAnswer]:
    return st.builds(RawAnswer, value=texts_for(question), unknown=st.booleans())


@st.composite
def raw_answer_sets(draw: st.DrawFn) -> dict[str, RawAnswer]:
    """Any set of answers to any questions."""
    keys = draw(st.lists(st.sampled_from(sorted(QUESTIONS)), unique=True, max_size=len(QUESTIONS)))
    return {key: draw(raw_for(QUESTIONS[key])) for key in keys}
