#include "ardent/data/labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/error.h"

namespace ardent {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Labels labels_of(const std::vector<std::string_view>& tokens) {
  return make_labels(tokens);
}

template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

TEST(Labels, SpellingsOfOneNumberAreOneLabelNamedByTheFirst) {
  const Labels labels = labels_of({"+1", "-1", "1", "1.0", "1e3", "-1.00", "1000"});
  EXPECT_THAT(labels.numbers, ElementsAre(1, -1, 1, 1, 1000, -1, 1000));
  EXPECT_THAT(labels.ids, ElementsAre(0, 1, 0, 0, 2, 1, 2));
  EXPECT_THAT(labels.names, ElementsAre("+1", "-1", "1e3"));
}

TEST(Labels, MinusZeroIsZero) {
  EXPECT_THAT(labels_of({"0", "-0", "0.0"}).names, ElementsAre("0"));
  EXPECT_THAT(make_labels(std::vector<double>{-0.0, 0.0}).names, ElementsAre("0"));
}

TEST(Labels, OneTokenThatIsNoNumberMakesAllOfThemText) {
  for (const std::string_view odd :
       {"nan", "inf", "-inf", "1x", "+-1", "++1", "0x10", "1e999", "", "1 "}) {
    const Labels labels = labels_of({"1", odd, "1.0"});
    EXPECT_FALSE(labels.numeric()) << in_quotes(odd);
    EXPECT_THAT(labels.ids, ElementsAre(0, 1, 2)) << in_quotes(odd);
    EXPECT_THAT(labels.names, ElementsAre("1", std::string(odd), "1.0")) << in_quotes(odd);
  }
}

TEST(Labels, NumberTooSmallForADoubleIsStillANumber) {
  EXPECT_THAT(labels_of({"1e-999", "2"}).numbers, ElementsAre(0, 2));
}

TEST(Labels, NumbersOfMoreThan65536ValuesHaveNoNames) {
  std::vector<double> numbers(65536);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i) / 3;
  EXPECT_EQ(make_labels(numbers).names.size(), 65536u);
  numbers.push_back(-1);
  const Labels labels = make_labels(numbers);
  EXPECT_TRUE(labels.names.empty());
  EXPECT_TRUE(labels.ids.empty());
  EXPECT_EQ(labels.size(), 65537);
  EXPECT_THAT(message_of([&] { make_classes(labels); }), HasSubstr("regression target"));
  // A few rows of them are few values again.
  EXPECT_THAT(select_rows(labels, std::vector<Index>{3, 65536, 3}).names, ElementsAre("1", "-1"));
}

TEST(Labels, NumbersThatAreNotFiniteAreRefusedWithTheirRow) {
  EXPECT_THAT(message_of([] {
                make_labels(std::vector<double>{1, 2, std::nan("")});
              }),
              HasSubstr("row 3"));
}

TEST(Labels, SelectedRowsAreNamedByFirstAppearanceAmongThem) {
  const Labels labels = labels_of({"cat", "dog", "eel", "dog"});
  const Labels selected = select_rows(labels, std::vector<Index>{3, 2, 1});
  EXPECT_THAT(selected.ids, ElementsAre(0, 1, 0));
  EXPECT_THAT(selected.names, ElementsAre("dog", "eel"));
  EXPECT_THROW(select_rows(labels, std::vector<Index>{4}), InputError);
}

TEST(ClassTable, ClassesComeInTheOrderOfLibsvm) {
  EXPECT_THAT(make_classes(labels_of({"3", "1", "2", "1"})).names, ElementsAre("3", "1", "2"));
  EXPECT_THAT(make_classes(labels_of({"-1", "+1"})).names, ElementsAre("+1", "-1"));
  EXPECT_THAT(make_classes(labels_of({"+1", "-1"})).names, ElementsAre("+1", "-1"));
  EXPECT_THAT(make_classes(labels_of({"-1", "1.0"})).values, ElementsAre(1, -1));
  EXPECT_THAT(make_classes(labels_of({"0", "1"})).names, ElementsAre("0", "1"));
  EXPECT_THAT(make_classes(labels_of({"-1", "1", "2"})).names, ElementsAre("-1", "1", "2"));
}

TEST(ClassTable, PositiveIsTheLargerNumberOrTheLaterText) {
  const auto positive = [](const std::vector<std::string_view>& tokens) {
    const ClassTable classes = make_classes(labels_of(tokens));
    return classes.names[classes.positive];
  };
  EXPECT_EQ(positive({"-1", "+1"}), "+1");
  EXPECT_EQ(positive({"10", "9"}), "10");  // as text, 9 would be later
  EXPECT_EQ(positive({"malignant", "benign"}), "malignant");
}

TEST(ClassTable, OneClassIsRefusedByName) {
  EXPECT_THAT(message_of([] { make_classes(labels_of({"spam", "spam"})); }), HasSubstr("'spam'"));
  EXPECT_THAT(message_of([] { make_classes(Labels{}); }), HasSubstr("no labels"));
}

TEST(ClassTable, FindsNumbersByValueAndTextByText) {
  const ClassTable numbers = make_classes(labels_of({"+1", "-1"}));
  EXPECT_EQ(numbers.find("1.0"), Index{0});
  EXPECT_EQ(numbers.find("-1"), Index{1});
  EXPECT_EQ(numbers.find("2"), std::nullopt);
  EXPECT_EQ(numbers.find("one"), std::nullopt);
  const ClassTable texts = make_classes(labels_of({"1", "b"}));
  EXPECT_EQ(texts.find("1"), Index{0});
  EXPECT_EQ(texts.find("1.0"), std::nullopt);
}

TEST(Encode, RowsGetTheIndexOfTheirClassWhateverTheSpelling) {
  const ClassTable classes = make_classes(labels_of({"-1", "+1"}));
  EXPECT_THAT(encode(labels_of({"1", "-1.0", "1.0"}), classes), ElementsAre(0, 1, 0));
}

TEST(Encode, UnknownLabelIsRefusedWithRowLabelAndClasses) {
  const ClassTable classes = make_classes(labels_of({"cat", "dog"}));
  EXPECT_THAT(message_of([&] {
                encode(labels_of({"dog", "eel"}), classes);
              }),
              AllOf(HasSubstr("row 2"), HasSubstr("'eel'"), HasSubstr("'cat', 'dog'")));
  // Text among the labels of a numeric problem.
  const ClassTable numeric = make_classes(labels_of({"1", "2"}));
  EXPECT_THAT(message_of([&] {
                encode(labels_of({"1", "2", "x"}), numeric);
              }),
              AllOf(HasSubstr("row 3"), HasSubstr("'x'")));
}

TEST(Encode, ManyDistinctNumbersAgainstFewClassesNameTheFirstUnknown) {
  std::vector<double> numbers(70000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
  const ClassTable classes = make_classes(labels_of({"0", "1"}));
  EXPECT_THAT(message_of([&] { encode(make_labels(numbers), classes); }),
              AllOf(HasSubstr("row 3"), HasSubstr("'2'")));
}

}  // namespace
}  // namespace ardent
